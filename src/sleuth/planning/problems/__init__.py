"""Adaptive control problems with known answers or a standing in the literature, by name."""
