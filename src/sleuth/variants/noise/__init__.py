"""Hosts that lie: channels that change feedback, beliefs after it, strategies, games."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
