"""Learning to play: environments, the players that learn in them, and what they learned.

Importing this package registers the Gymnasium environments "sleuth/Wordle-v0", "sleuth/Control-v0",
"sleuth/Pomdp-v0" and "sleuth/SampledPomdp-v0" where Gymnasium is installed; so does the form
"sleuth.learning:sleuth/Wordle-v0", which imports it. Playing what was learned needs NumPy only.
"""

from importlib.util import find_spec

import lazy_loader

from sleuth.learning.gym.registration import register

if find_spec("gymnasium") is not None:
    register()

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
