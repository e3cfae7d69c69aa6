from . import learning as learning
from . import planning as planning
from . import plots as plots
from . import testing as testing
from . import variants as variants
from .coaching.advice import (
    Advice as Advice,
)
from .coaching.advice import (
    advise as advise,
)
from .coaching.difficulty.change import (
    Change as Change,
)
from .coaching.difficulty.difficulty import (
    Difficulty as Difficulty,
)
from .coaching.difficulty.difficulty import (
    difficulty as difficulty,
)
from .coaching.reviews.move import (
    Move as Move,
)
from .coaching.reviews.move import (
    Review as Review,
)
from .coaching.reviews.review import (
    review as review,
)
from .exact.certificate import (
    Certificate as Certificate,
)
from .exact.certificate import (
    certify as certify,
)
from .exact.objective import (
    Objective as Objective,
)
from .exact.proof import (
    Proof as Proof,
)
from .exact.proving import (
    prove as prove,
)
from .exact.verification import (
    Verification as Verification,
)
from .exact.verification import (
    verify as verify,
)
from .games.frontier import (
    Frontier as Frontier,
)
from .games.game import (
    Game as Game,
)
from .games.pegs import (
    bulls_and_cows as bulls_and_cows,
)
from .games.pegs import (
    mastermind as mastermind,
)
from .games.position import (
    Position as Position,
)
from .games.strategy import (
    BatchStrategy as BatchStrategy,
)
from .games.strategy import (
    Strategy as Strategy,
)
from .games.strategy import (
    Suggestion as Suggestion,
)
from .games.strategy import (
    describe as describe,
)
from .games.wordle import (
    wordle as wordle,
)
from .games.wordlists import (
    WordList as WordList,
)
from .ledger.openers import (
    Opener as Opener,
)
from .ledger.openers import (
    openers as openers,
)
from .ledger.record import (
    Record as Record,
)
from .ledger.record import (
    records as records,
)
from .processes.avts import (
    Optimized as Optimized,
)
from .processes.avts import (
    optimize as optimize,
)
from .strategies.registry import (
    make as make,
)
from .strategies.registry import (
    strategies as strategies,
)
from .studies.played import (
    Experiment as Experiment,
)
from .studies.running import (
    experiment as experiment,
)
from .studies.study import (
    Study as Study,
)
from .support.errors import (
    ContradictionError as ContradictionError,
)
from .support.errors import (
    FeedbackError as FeedbackError,
)
from .support.errors import (
    GameTooLargeError as GameTooLargeError,
)
from .support.errors import (
    Interrupted as Interrupted,
)
from .support.errors import (
    SleuthError as SleuthError,
)
from .support.errors import (
    StoreError as StoreError,
)
from .support.errors import (
    StrategyError as StrategyError,
)
from .support.errors import (
    TreeError as TreeError,
)
from .support.errors import (
    UnknownGuessError as UnknownGuessError,
)
from .support.errors import (
    UnknownNameError as UnknownNameError,
)
from .support.errors import (
    WordListError as WordListError,
)
from .support.progress import (
    Progress as Progress,
)
from .trees.check import (
    check_tree as check_tree,
)
from .trees.evaluation import (
    Evaluation as Evaluation,
)
from .trees.evaluation import (
    evaluate as evaluate,
)
from .trees.tree import (
    DecisionTree as DecisionTree,
)
from .trees.tree import (
    Report as Report,
)
from .views.watching import (
    progress as progress,
)

__version__: str
