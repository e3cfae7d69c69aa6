"""Guessing games as decision processes: for tree search, and as control problems."""
