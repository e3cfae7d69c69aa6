"""Ways to choose the next guess, one concept a module."""
