"""Exact play: the least total of guesses, with proof."""
