"""Pictures of results (the extra `plots`): each takes Matplotlib axes, or makes new, and returns them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
