from . import preparing as preparing
from . import wordlists as wordlists
from .feedback import (
    MarkNotation as MarkNotation,
)
from .feedback import (
    Notation as Notation,
)
from .feedback import (
    wordle_marks as wordle_marks,
)
from .frontier import (
    Frontier as Frontier,
)
from .game import (
    MODES as MODES,
)
from .game import (
    Game as Game,
)
from .game import (
    Mode as Mode,
)
from .position import (
    Position as Position,
)
from .registry import (
    GAMES as GAMES,
)
from .rules import (
    FunctionRules as FunctionRules,
)
from .rules import (
    PegRules as PegRules,
)
from .rules import (
    Rules as Rules,
)
from .rules import (
    WordleRules as WordleRules,
)
