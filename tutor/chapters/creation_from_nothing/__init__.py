"""What chapter 02 asks."""
