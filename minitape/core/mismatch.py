"""Errors for values that do not fit together, with the user's own names and a suggested fix.

    shape_mismatch    shapes that an op cannot combine
    matrix_mismatch   two matrices whose inner sizes differ
    dtype_mismatch    tensors of different dtypes
    wrong_kind        a dtype that an op does not support

These functions run only after an error, with the arrays and the user's line, so ops that succeed have no extra cost.
"""

from collections.abc import Sequence

import numpy as np

from minitape import raised_at
from minitape.core import dtypes
from minitape.core.values import Array
from minitape.errors import DtypeMismatchError, InvalidArgumentError, KernelError


def shape_mismatch(op: str, arrays: Sequence[Array], reason: str) -> InvalidArgumentError:
    """Return the error for inputs that NumPy could not combine; `reason` is the message of NumPy."""
    spoken, names = _users_words(op, arrays)
    if "broadcast" in reason and len(arrays) > 1 and op not in ("Einsum", "BroadcastTo"):
        what, fix = _broadcast(arrays, names)
    elif op == "BroadcastTo":
        wanted = reason.rpartition("requested shape ")[2]
        what = f"{_listed(arrays, names)} cannot be broadcast to {wanted}."
        fix = "use a shape that ends with the sizes of the input; a size of 1 can become any other size"
    elif op in _JOINS and names:
        what, fix = _joining(op, arrays, names)
    else:
        what, fix = f"{_listed(arrays, names)}: {reason.strip()}", _look(names)
    return InvalidArgumentError(f"`{spoken}`: {what}", fix=fix, code="MT507")


_JOINS = ("ConcatV2", "Pack")


def _joining(op: str, arrays: Sequence[Array], names: list[str]) -> tuple[str, str]:
    """Return message and fix for tf.concat, whose inputs may differ in size only along its axis, and tf.stack, which needs equal
    shapes.
    """
    listed = _listed(arrays, names)
    if op == "Pack":
        return (
            f"{listed}: only values of the same shape can be stacked.",
            "use `tf.concat([...], axis=0)`, which joins the values along an existing axis",
        )
    ranks = [array.ndim for array in arrays]
    if len(set(ranks)) == 1:
        return (
            f"{listed}: the sizes must be equal on all axes except the axis of concatenation.",
            "use another `axis`, or transpose one of the values with `tf.transpose`",
        )
    lower = _in_code(names)[ranks.index(min(ranks))]
    fix = f"use `{lower}[tf.newaxis]` for the value of lower rank, or `tf.stack([...])` for values of equal shapes"
    return f"{listed}: only values of the same rank can be concatenated.", fix


def _broadcast(arrays: Sequence[Array], names: list[str]) -> tuple[str, str]:
    """Return message and fix for broadcasting, which compares sizes starting from the last axis; they must be equal or 1."""
    a, b, axis = _first_clash(arrays)
    x, y = arrays[a], arrays[b]
    # If the ranks differ, only an axis that is counted from the end is the same axis of both inputs.
    shown = axis + x.ndim if x.ndim == y.ndim else axis
    what = (
        f"{_listed(arrays, names)} do not broadcast: "
        f"axis {shown} has size {x.shape[axis]} in {_as_code(names[a])} and {y.shape[axis]} in {_as_code(names[b])}."
    )
    return what, _to_broadcast(x, y, *_in_code([names[a], names[b]]))


def _first_clash(arrays: Sequence[Array]) -> tuple[int, int, int]:
    """Return the positions of two inputs that do not fit, and the axis on which they differ, counted from the end."""
    for axis in range(-1, -1 - max(array.ndim for array in arrays), -1):
        sizes = [
            (i, array.shape[axis])
            for i, array in enumerate(arrays)
            if array.ndim >= -axis and array.shape[axis] != 1
        ]
        for i, size in sizes[1:]:
            if size != sizes[0][1]:
                return sizes[0][0], i, axis
    raise AssertionError("NumPy could not broadcast shapes that fit")


def _to_broadcast(x: Array, y: Array, name_x: str, name_y: str) -> str:
    """Return the fix that makes two shapes fit, if the shapes determine it."""
    if x.ndim == 2 and y.ndim == 1 and y.shape[0] == x.shape[0]:
        return f"use `{name_y}[:, tf.newaxis]`, which is a column"
    if y.ndim == 2 and x.ndim == 1 and x.shape[0] == y.shape[0]:
        return f"use `{name_x}[:, tf.newaxis]`, which is a column"
    if x.ndim == y.ndim == 2 and x.shape == y.shape[::-1]:
        return f"use `{_transposed(name_y, y)}`"
    return "use sizes that are equal or 1, aligned at the last axis; `tf.expand_dims` adds an axis of size 1"


def matrix_mismatch(a: Array, b: Array) -> InvalidArgumentError:
    """Return the error for `a @ b` if the rows of `a` and the columns of `b` have different lengths."""
    _, (x, y) = _users_words("MatMul", (a, b))
    rows, columns = a.shape[-1], b.shape[-2]
    what = (
        f"Matrix size-incompatible: In[0]: {list(a.shape)}, In[1]: {list(b.shape)}: "
        f"the rows of {_as_code(x)} have {rows} entries, but the columns of {_as_code(y)} have {columns}."
    )
    x, y = _in_code([x, y])
    if b.shape[-1] == rows:
        fix = f"use `{x} @ {_transposed(y, b)}`"
    elif a.shape[-2] == columns:
        fix = f"use `{_transposed(x, a)} @ {y}`"
    elif a.shape[-2] == b.shape[-1]:
        fix = f"use `{y} @ {x}`"
    else:
        fix = "use shapes `[n, k]` and `[k, m]` with the same `k`"
    return InvalidArgumentError(what, fix=fix, code="MT507")


def _transposed(name: str, array: Array) -> str:
    if array.ndim > 2:
        return f"tf.linalg.matrix_transpose({name})"
    inner = name.removeprefix("tf.transpose(").removesuffix(")")
    return inner if name == f"tf.transpose({inner})" else f"tf.transpose({name})"


def dtype_mismatch(op: str, arrays: Sequence[Array], first: int, other: int) -> DtypeMismatchError:
    """Return the error for two inputs of different dtypes, by their positions."""
    spoken, names = _users_words(op, arrays)
    one, two = (dtypes.of(arrays[i]).name for i in (first, other))
    what = (
        f"{_prefix(spoken, op)}cannot compute {op} as input #{other} was expected to be a {one} tensor but is a "
        f"{two} tensor: {_as_code(names[first])} is {one}, and {_as_code(names[other])} is {two}."
    )
    x, y = _in_code([names[first], names[other]])
    kinds = dtypes.kind_of(arrays[first].dtype), dtypes.kind_of(arrays[other].dtype)
    return DtypeMismatchError(what, fix=_to_one_dtype(x, y, one, two, kinds), code="MT506")


def _to_one_dtype(x: str, y: str, one: str, two: str, kinds: tuple[str, str]) -> str:
    """Return the fix that casts one of two values: integers to floats, wide floats to the dtype of the other operand."""
    if "O" in kinds:
        return f"use `tf.strings.to_number({y if kinds[1] == 'O' else x})`"
    if kinds[0] in "iub" and kinds[1] in "fc":
        return f"use `tf.cast({x}, tf.{two})`, or write the values of `{x}` with a decimal point"
    if kinds[0] in "fc" and kinds[1] in "iub":
        return f"use `tf.cast({y}, tf.{one})`, or write the values of `{y}` with a decimal point"
    return f"use `tf.cast({y}, tf.{one})`"


def wrong_kind(op: str, array: Array, dtype_kinds: str) -> InvalidArgumentError:
    """Return the error for a dtype that an op does not support."""
    spoken, names = _users_words(op, (array,))
    (x,) = _in_code(names)
    have = dtypes.of(array).name
    what = f"{_prefix(spoken, op)}`{op}` does not support {have} values."
    if have == "bfloat16":
        return KernelError(what, fix=f"use `tf.cast({x}, tf.float32)`", code="MT506")
    if have == "string":
        fix = f"use `tf.strings.to_number({x})`"
    elif "f" in dtype_kinds:
        fix = f"use `tf.cast({x}, tf.float32)`, or write the values of `{x}` with a decimal point"
    elif "i" in dtype_kinds:
        fix = f"use `tf.cast({x}, tf.int32)`"
    else:
        fix = f"use a condition such as `{x} > 0`, or `tf.cast({x}, tf.bool)`"
    return InvalidArgumentError(what, fix=fix, code="MT506")


def _users_words(op: str, arrays: Sequence[Array]) -> tuple[str, list[str]]:
    """Return how the user writes this op, and the user's names of its inputs."""
    call = raised_at.find()
    if call is None:
        return op, [f"input {i}" for i in range(len(arrays))]
    return call.spoken or op, call.names(arrays)


def _in_code(names: list[str]) -> list[str]:
    """Return names for the code of a fix: letters if the user's own names are unknown."""
    is_known = not names[0].startswith("input ")
    return names if is_known else [f"x{i}" for i in range(len(names))] if names[1:] else ["x"]


def _prefix(spoken: str, op: str) -> str:
    """Return the user's code before a message that names the op; empty if the code is not known."""
    return "" if spoken == op else f"`{spoken}`: "


def _as_code(name: str) -> str:
    """Return the user's name in backticks; "input 0" is prose."""
    return name if name.startswith("input ") else f"`{name}`"


def _listed(arrays: Sequence[Array], names: list[str]) -> str:
    described = [
        f"{_as_code(name)} of shape {tuple(np.shape(array))}"
        for name, array in zip(names, arrays, strict=True)
    ]
    return " and ".join([", ".join(described[:-1]), described[-1]] if described[1:] else described)


def _look(names: list[str]) -> str:
    shapes = ", ".join(f"{name}.shape" for name in names if name.isidentifier())
    return f"print the shapes before this line with `print({shapes or 'x.shape'})`, then use `tf.reshape` or `tf.expand_dims`"
