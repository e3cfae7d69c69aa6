from .joint_rollout import (
    JointRollout as JointRollout,
)
from .play import (
    BoardsReport as BoardsReport,
)
from .play import (
    draw_answers as draw_answers,
)
from .play import (
    evaluate as evaluate,
)
from .play import (
    play as play,
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
