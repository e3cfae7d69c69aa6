"""The player that sees candidate sets: networks, their teachers, and play."""
