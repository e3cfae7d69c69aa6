"""A finished game, move by move: what each guess was worth, and how kind the answers were."""
