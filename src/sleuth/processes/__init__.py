"""Guessing games as decision processes: for tree search, and as control problems."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
