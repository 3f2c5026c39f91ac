"""Chapter 05: what a dtype cannot hold, and which dtype comes out when two meet."""
