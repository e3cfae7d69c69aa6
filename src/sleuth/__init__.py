"""Sleuth plays guessing games as well as they can be played: Wordle, Mastermind, and any other.

>>> import sleuth
>>> game = sleuth.wordle("original")
>>> position = sleuth.Position.after_rows(game, [("salet", "bbybb")])
>>> sleuth.advise(position).suggestions[0].guess
'courd'
>>> position.play("courd", "bbbgb").words
('whirl',)

Importing this package imports neither numba nor numpy; names are loaded when they are first used. What is
public is listed in `__init__.pyi`, here and in the packages that have one; all else is private.
"""

import lazy_loader

from sleuth.support.version import VERSION

__version__ = VERSION
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ += ["__version__"]
