from .discernible import (
    AlphaFds as AlphaFds,
)
from .game_tree import (
    AlphaBeta as AlphaBeta,
)
from .game_tree import (
    DecisionTreeAgent as DecisionTreeAgent,
)
from .game_tree import (
    Expectimax as Expectimax,
)
from .game_tree import (
    Minimax as Minimax,
)
from .heuristics import (
    Alpha as Alpha,
)
from .heuristics import (
    ExpectedGuesses as ExpectedGuesses,
)
from .heuristics import (
    GreatestExpectedProbability as GreatestExpectedProbability,
)
from .heuristics import (
    InformationGain as InformationGain,
)
from .heuristics import (
    MostHints as MostHints,
)
from .heuristics import (
    MostRapidDecrease as MostRapidDecrease,
)
from .heuristics import (
    Random as Random,
)
from .heuristics import (
    WorstCase as WorstCase,
)
from .portfolio import (
    Portfolio as Portfolio,
)
from .registry import (
    STRATEGIES as STRATEGIES,
)
from .registry import (
    make as make,
)
from .registry import (
    with_ties as with_ties,
)
from .rollout import (
    Rollout as Rollout,
)
from .schedule import (
    Schedule as Schedule,
)
