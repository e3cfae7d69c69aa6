"""Planning in general: decision processes and the methods that find good policies. No words in it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
