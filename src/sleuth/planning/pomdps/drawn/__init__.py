"""POMDPs that are drawn from: too many states to lay out, and beliefs by particles."""
