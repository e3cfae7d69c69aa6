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
from .noisy_rollout import (
    NoisyRollout as NoisyRollout,
)
from .play import (
    NoisyGame as NoisyGame,
)
from .play import (
    NoisyReport as NoisyReport,
)
from .play import (
    evaluate as evaluate,
)
from .play import (
    play as play,
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
