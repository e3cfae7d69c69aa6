"""The other side of the table: hosts who choose the answer to be hard."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
