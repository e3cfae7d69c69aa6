from .double_oracle import (
    Equilibrium as Equilibrium,
)
from .double_oracle import (
    equilibrium as equilibrium,
)
from .host import (
    Beaten as Beaten,
)
from .host import (
    fewest_guesses as fewest_guesses,
)
from .host import (
    play as play,
)
from .host import (
    reply as reply,
)
from .mixture import (
    Mixture as Mixture,
)
