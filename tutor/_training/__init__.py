"""Training loops watched as they run: their losses, their times, and what they keep for the backward pass."""
