"""The loop that all trainers share, its configurations, and its curves."""
