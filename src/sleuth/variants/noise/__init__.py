"""Hosts that lie: channels that change feedback, beliefs after it, strategies and games under it."""
