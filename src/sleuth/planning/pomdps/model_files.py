"""Files of POMDPs, whichever of the two formats they are in."""

from sleuth.planning.pomdps.files import read_pomdp
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.planning.pomdps.pomdpx import read_pomdpx
from sleuth.support.errors import SleuthError

MODELS = (".pomdp", ".pomdpx")
"""How their names end."""


def read_model(file: str) -> POMDP:
    """Return the POMDP of a .pomdp or .pomdpx file. Raises SleuthError, for other names too."""
    if not file.endswith(MODELS):
        raise SleuthError(f"{file} is no model of a POMDP; it takes a .pomdp or .pomdpx file")
    return read_pomdpx(file) if file.endswith(".pomdpx") else read_pomdp(file)
