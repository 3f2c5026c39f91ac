"""How `atlas` runs each constructor on each source, and what it makes of it."""
