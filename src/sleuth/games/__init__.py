"""What is guessed: games, their rules and words; positions in them, and what a strategy is."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
