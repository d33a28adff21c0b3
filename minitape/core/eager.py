"""The functions of TensorFlow that depend on eager or graph execution. In minitape everything runs eagerly.

    executing_eagerly                  returns True always
    device                             a context manager without effect
    init_scope                         a context manager whose block no tape records
    print                              prints immediately
    is_tensor, get_logger, TensorSpec  small functions that scripts use

They exist so that a TensorFlow script runs unchanged.
"""

import builtins
import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.core import dtypes, nest
from minitape.core.recorders import thread
from minitape.core.shapes import TensorShape
from minitape.core.tensor import TensorLike
from minitape.errors import TapeValueError

if TYPE_CHECKING:
    import logging


def executing_eagerly() -> bool:
    """Return True, because minitape runs each op when it is called.

    Source: https://www.tensorflow.org/api_docs/python/tf/executing_eagerly
    """
    return True


def device(device_name: Any) -> AbstractContextManager[None]:
    """Return a context manager that selects a device in TensorFlow; in minitape all ops run on the CPU.

    Args:
        device_name: "/GPU:0", "cpu:0", "/job:localhost/device:CPU:0" ..., a device of `tf.config`, or None.

    Returns:
        A context manager without effect.

    Raises:
        ValueError: `device_name` is not the name of a device.

    Source: https://www.tensorflow.org/api_docs/python/tf/device
    """
    name = getattr(device_name, "name", device_name)
    if not (name is None or (isinstance(name, str) and _DEVICE.fullmatch(name))):
        raise TapeValueError(
            f"{device_name!r} is not the name of a device.",
            fix='write `with tf.device("/CPU:0"): ...`; minitape runs every device on the CPU',
        )
    return nullcontext()


_DEVICE = re.compile(
    r"/?((job:\w+|(replica|task):\d+|device:\w+:(\d+|\*)|(cpu|gpu|tpu)(:(\d+|\*))?)(/|$))*", re.I
)


@contextmanager
def init_scope() -> Iterator[None]:
    """Run a block outside all tapes and accumulators, so that no tape records its ops and no tangents pass through it.

    Source: https://www.tensorflow.org/api_docs/python/tf/init_scope
    """
    outside = thread.active
    thread.active = ()
    try:
        yield
    finally:
        thread.active = (*outside, *thread.active)


def print_(
    *inputs: Any,
    output_stream: Any = None,
    summarize: int = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
) -> None:
    """Print values to stderr in TensorFlow's format, in which arrays have no commas and no dtype is shown.

    Args:
        inputs: Tensors, variables, or anything that Python can print.
        output_stream: `sys.stdout`, `sys.stderr`, or "file://PATH" to append to a file; stderr by default.
        summarize: How many elements to show at the beginning and at the end of each axis; -1 for all.
        sep: Text between two values.
        end: Text after the last value.
        name: Ignored.

    Source: https://www.tensorflow.org/api_docs/python/tf/print
    """
    text = sep.join(_shown(value, summarize) for value in inputs)
    if isinstance(output_stream, str):
        with builtins.open(output_stream.removeprefix("file://"), "a", encoding="utf-8") as file:  # noqa: PTH123  # a URL-like name, as TensorFlow takes it
            file.write(text + end)
        return
    builtins.print(text, end=end, file=output_stream or sys.stderr)


def _shown(value: Any, edge: int) -> str:
    if nest.is_nested(value):
        return str(nest.map_structure(lambda leaf: _Bare(leaf, edge), value))
    if not isinstance(value, TensorLike):
        return str(value)
    array = np.asarray(value.numpy())
    most = array.size + 1 if edge < 0 else 2 * edge
    return np.array2string(
        array, threshold=most, edgeitems=max(edge, 1), formatter={"all": _number}
    )


def _number(item: Any) -> str:
    """Format a number with as many digits as TensorFlow, which uses more digits only if reading fewer would give a different
    number.
    """
    if isinstance(item, bytes):
        return f'"{item.decode(errors="replace")}"'
    if item.dtype.kind == "V":
        item = np.float32(item)  # bfloat16 is printed with the same number of digits
    if not isinstance(item, np.floating):
        return str(int(item)) if isinstance(item, np.bool_) else str(item)
    digits = {2: 3, 4: 6}.get(item.dtype.itemsize, 15)
    short = f"{item:.{digits}g}"
    return short if type(item)(short) == item else f"{item:.{digits + (2 if digits == 15 else 3)}g}"


class _Bare:
    """A leaf of a structure that is printed: the repr of a tensor shows only its values."""

    def __init__(self, value: Any, edge: int) -> None:
        self._value = value
        self._edge = edge

    def __repr__(self) -> str:
        value = self._value
        return _shown(value, self._edge) if isinstance(value, TensorLike) else repr(value)


def is_tensor(x: Any) -> bool:
    """Return whether `x` is a tensor or a variable.

    Source: https://www.tensorflow.org/api_docs/python/tf/is_tensor
    """
    return isinstance(x, TensorLike)


def get_logger() -> "logging.Logger":
    """Return the logger of this package.

    Source: https://www.tensorflow.org/api_docs/python/tf/get_logger
    """
    import logging  # importing it only here makes `import minitape` faster

    return logging.getLogger("minitape")


class TensorSpec:
    """The shape and dtype of a tensor, for `tf.function(input_signature=...)` and datasets.

    Args:
        shape: Anything that `tf.TensorShape` accepts.
        dtype: float32 by default.
        name: Shown in the repr.

    Source: https://www.tensorflow.org/api_docs/python/tf/TensorSpec
    """

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self.shape = TensorShape(shape)
        self.dtype = dtypes.as_dtype(dtype)
        self.name = name

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> "TensorSpec":
        """Return the spec of a tensor."""
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: "TensorSpec", name: str | None = None) -> "TensorSpec":
        """Return the same spec with a different name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Return whether a tensor fits this spec or, for a spec, whether a tensor could fit both specs."""
        other = spec_or_tensor
        return bool(self.dtype == other.dtype) and self.shape.is_compatible_with(other.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorSpec):
            return False
        return (self.shape, self.dtype, self.name) == (other.shape, other.dtype, other.name)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.name))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"
