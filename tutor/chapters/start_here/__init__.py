"""What chapter 00 asks."""
