"""Strategies written out: decision trees, what they take, whether they are right, their formats."""
