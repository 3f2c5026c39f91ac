"""A chapter to test the engine with."""
