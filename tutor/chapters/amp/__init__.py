"""Chapter 07: what autocast casts, and what a training run in low precision needs."""
