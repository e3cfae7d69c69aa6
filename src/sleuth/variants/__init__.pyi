from . import adversary as adversary
from . import boards as boards
from . import noise as noise
