from ..coaching.difficulty.pictures import (
    guesses as guesses,
)
from ..coaching.difficulty.pictures import (
    won as won,
)
from ..learning.runs.pictures import (
    learning as learning,
)
from ..processes.pictures import (
    improvement as improvement,
)
from ..studies.pictures import (
    differences as differences,
)
from ..studies.pictures import (
    means as means,
)
from ..trees.pictures import (
    comparison as comparison,
)
from ..trees.pictures import (
    histogram as histogram,
)
