"""How much memory a process and its device hold, while code runs."""
