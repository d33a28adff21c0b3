"""Every op by its TensorFlow name.

Ops live above tensors, yet `a * b` on two tensors has to find `Mul`: it looks the name up here, as TensorFlow's eager
execution does. One look-up replaces an import in a circle.
"""

from collections.abc import Callable
from typing import Any

PRIMITIVES: dict[str, Any] = {}

# What an op learns beyond its declaration, once a program needs it; also ops that are declared later.
TEACHERS: list[Callable[[Any], None]] = []

# What Python's own syntax needs beyond single ops: filled in by the page of ops that owns the meaning.
SYNTAX: dict[str, Callable[..., Any]] = {}
