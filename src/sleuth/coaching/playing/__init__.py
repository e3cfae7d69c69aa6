"""A game that a person plays: puzzles, hosts, the state of a game, share grids and statistics."""
