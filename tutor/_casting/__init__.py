"""What autocast does to each operator, observed by running it."""
