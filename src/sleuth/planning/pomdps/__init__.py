"""Finite POMDPs, whose hidden state may change: arrays, files, proven bounds, policies and their proofs."""
