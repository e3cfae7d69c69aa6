from .belief import (
    NoisyPosition as NoisyPosition,
)
from .channel import (
    Channel as Channel,
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
    evaluate as evaluate,
)
from .games import (
    play as play,
)
from .noisy_rollout import (
    NoisyRollout as NoisyRollout,
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
