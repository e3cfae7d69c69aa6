"""POMDPs of one's own that are drawn from by Python: any states, observations that may be continuous."""
