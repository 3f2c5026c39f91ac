"""Chapter 09: what a profile shows, and what keeps memory alive."""
