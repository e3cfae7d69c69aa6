from .advice import (
    Advice as Advice,
)
from .advice import (
    advise as advise,
)
from .playing.blame import (
    blame as blame,
)
from .playing.puzzles import (
    Puzzle as Puzzle,
)
from .playing.puzzles import (
    answers_of as answers_of,
)
from .playing.session import (
    Session as Session,
)
from .playing.session import (
    replay as replay,
)
from .playing.share import (
    share as share,
)
from .reviews.review import (
    review as review,
)
from .reviews.share import (
    read_share as read_share,
)
