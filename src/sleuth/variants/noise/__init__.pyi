from .belief import (
    NoisyPosition as NoisyPosition,
)
from .channel import (
    Channel as Channel,
)
from .channel import (
    always_lies as always_lies,
)
from .channel import (
    fibble as fibble,
)
from .channel import (
    honest as honest,
)
from .channel import (
    lies_with as lies_with,
)
from .games import (
    NoisyGame as NoisyGame,
)
from .games import (
    NoisyReport as NoisyReport,
)
from .games import (
    NoisySeries as NoisySeries,
)
from .games import (
    evaluate as evaluate,
)
from .games import (
    play as play,
)
from .games import (
    series as series,
)
from .noisy_rollout import (
    NoisyRollout as NoisyRollout,
)
from .rates import (
    Beta as Beta,
)
from .rates import (
    Uniform as Uniform,
)
from .rates import (
    rate_prior as rate_prior,
)
from .strategies import (
    NoisyExpectedGuesses as NoisyExpectedGuesses,
)
from .strategies import (
    NoisyInformationGain as NoisyInformationGain,
)
from .strategies import (
    NoisyStrategy as NoisyStrategy,
)
from .strategies import (
    make_noisy as make_noisy,
)
from .unknown import (
    RateBelief as RateBelief,
)
from .unknown import (
    UnsurePosition as UnsurePosition,
)
