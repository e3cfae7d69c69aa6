"""Branch and bound over candidate sets: the least total of guesses, exactly.

The total of a set is the sum over its answers of weight times the guesses needed from there on. Every
kernel here counts virtually: an answer that no guess can name costs its weight once more than it does in
play, as if a guess were spent on it when it is the only one left. So all answers follow one rule; callers
take the surplus (the weight of those answers) off the result. docs/exact.md has the bounds,
bounds.py what they become with a penalty.
"""
