"""Chapter 10: a pipeline from files to batches, and what each step of it copies."""
