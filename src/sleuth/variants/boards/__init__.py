"""Several boards at once: Dordle, Quordle, Octordle, any number, of any game."""
