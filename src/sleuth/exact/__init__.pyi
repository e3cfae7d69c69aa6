from .beam import (
    Beam as Beam,
)
from .certificate import (
    Certificate as Certificate,
)
from .certificate import (
    certify as certify,
)
from .objective import (
    Objective as Objective,
)
from .proof import (
    Proof as Proof,
)
from .proving import (
    prove as prove,
)
from .solver import (
    Bound as Bound,
)
from .solver import (
    Solver as Solver,
)
from .strategy import (
    Exact as Exact,
)
from .verification import (
    Verification as Verification,
)
from .verification import (
    verify as verify,
)
