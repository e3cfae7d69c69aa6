"""Kernels of POMDPs that are drawn from: what the problems are, beliefs by particles, and two searches."""
