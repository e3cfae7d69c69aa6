from . import formats as formats
from .check import (
    check_tree as check_tree,
)
from .evaluation import (
    Evaluation as Evaluation,
)
from .evaluation import (
    evaluate as evaluate,
)
from .growing import (
    Unfinished as Unfinished,
)
from .tree import (
    DecisionTree as DecisionTree,
)
from .tree import (
    Report as Report,
)
