from .games import (
    BoardsReport as BoardsReport,
)
from .games import (
    draw_answers as draw_answers,
)
from .games import (
    evaluate as evaluate,
)
from .games import (
    play as play,
)
from .joint_rollout import (
    JointRollout as JointRollout,
)
from .position import (
    BoardsPosition as BoardsPosition,
)
from .strategies import (
    JOINT as JOINT,
)
from .strategies import (
    JointInformation as JointInformation,
)
from .strategies import (
    JointStrategy as JointStrategy,
)
from .strategies import (
    JointSuggestion as JointSuggestion,
)
from .strategies import (
    make_joint as make_joint,
)
