"""All ops by their TensorFlow names.

The modules of ops import the tensor module, yet `a * b` on two tensors has to find `Mul`. The operator looks it up here, as
TensorFlow's eager execution does. This avoids a circular import.
"""

from collections.abc import Callable
from typing import Any

PRIMITIVES: dict[str, Any] = {}

# Functions that extend each op when a program needs that, as for bfloat16; they also apply to ops declared later.
DTYPE_HOOKS: list[Callable[[Any], None]] = []

# Functions for Python syntax that is more than a single op; each is registered by the module of ops that implements it.
SYNTAX: dict[str, Callable[..., Any]] = {}
