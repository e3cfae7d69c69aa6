from .advice import (
    Advice as Advice,
)
from .advice import (
    advise as advise,
)
from .analysis.fit import (
    fit as fit,
)
from .analysis.strategies import (
    plan as plan,
)
from .analysis.tries import (
    try_guess as try_guess,
)
from .analysis.words import (
    words_left as words_left,
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
from .reviews.others import (
    review_absurdle as review_absurdle,
)
from .reviews.others import (
    review_boards as review_boards,
)
from .reviews.others import (
    review_fibble as review_fibble,
)
from .reviews.review import (
    review as review,
)
from .reviews.share import (
    read_share as read_share,
)
