"""Chapter 06: where a tensor lies, what it costs to bring it there, and who waits."""
