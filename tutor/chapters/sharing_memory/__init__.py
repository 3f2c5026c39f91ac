"""What chapter 03 asks."""
