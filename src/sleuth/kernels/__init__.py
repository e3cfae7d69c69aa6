"""Numba kernels: arrays in, arrays out. Nothing outside this package imports numba."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
"""Any array; each kernel's docstring states the shapes and dtypes it takes."""

Int = Any
"""A whole number in a kernel: Python's, or NumPy's of 64 bits."""
