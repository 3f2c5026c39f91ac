"""How `race` and `measure` take times, and what they make of them."""
