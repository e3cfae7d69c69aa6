from .gym.control import (
    ControlEnv as ControlEnv,
)
from .gym.environment import (
    WordleEnv as WordleEnv,
)
from .gym.registration import (
    CONTROL as CONTROL,
)
from .gym.registration import (
    ENVIRONMENT as ENVIRONMENT,
)
from .gym.registration import (
    register as register,
)
from .gym.vector import (
    WordleVectorEnv as WordleVectorEnv,
)
from .noise.player import (
    NoisyLearned as NoisyLearned,
)
from .runs.configuration import (
    Configuration as Configuration,
)
from .runs.curves import (
    Curves as Curves,
)
from .runs.curves import (
    curves as curves,
)
from .runs.training import (
    Learner as Learner,
)
from .runs.training import (
    Schedule as Schedule,
)
from .runs.training import (
    run as run,
)
from .strategies import (
    Learned as Learned,
)
from .strategies import (
    LearnedLetters as LearnedLetters,
)
from .strategies import (
    LearnedPairs as LearnedPairs,
)
from .strategies import (
    LearnedSearch as LearnedSearch,
)
