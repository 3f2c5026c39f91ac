"""How the elements of one tensor lie in memory: what `tutor.layouts` is built of."""
