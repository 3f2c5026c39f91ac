"""Chapter 04: in which order a tensor lies in memory, and who has to care."""
