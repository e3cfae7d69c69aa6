from .avts import (
    Avts as Avts,
)
from .avts import (
    Optimized as Optimized,
)
from .avts import (
    optimize as optimize,
)
from .control import (
    Guessing as Guessing,
)
from .mdp import (
    GuessingMDP as GuessingMDP,
)
from .problems import (
    PROBLEMS as PROBLEMS,
)
