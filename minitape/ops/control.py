"""TensorFlow's control flow, which in eager execution is Python's own: a branch that is taken, a loop that runs.

    cond                     one of two functions
    while_loop               again and again, as long as a condition holds
    map_fn, foldl, scan      over the rows of a value: each alone; into a sum; into all sums on the way

What runs is recorded op by op, so each has the gradient of the ops inside: of the branch that was taken, of the rounds that ran.
"""

from collections.abc import Callable
from typing import Any

from minitape.core import nest
from minitape.core.convert import convert_to_tensor
from minitape.errors import TapeTypeError
from minitape.ops.joining import stack, unstack


def cond(
    pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: str | None = None
) -> Any:
    """What `true_fn()` returns if `pred` holds, else what `false_fn()` returns.

    Raises:
        TypeError: one of the two is no function.

    Gradient: through the branch that was taken; none through `pred`.

    Source: https://www.tensorflow.org/api_docs/python/tf/cond
    """
    for role, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TapeTypeError(f"'{role}' must be callable.", fix=f"{role}=lambda: value")
    return true_fn() if convert_to_tensor(pred) else false_fn()


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Replace `loop_vars` by `body(*loop_vars)` as long as `cond(*loop_vars)` holds.

    Args:
        cond: Says whether another round is due.
        body: Takes the variables of the loop and returns their next values.
        loop_vars: A list or tuple of first values.
        shape_invariants: Ignored.
        parallel_iterations: Ignored.
        back_prop: Ignored.
        swap_memory: Ignored.
        maximum_iterations: How many rounds at most.
        name: Ignored.

    Returns:
        The last values, in the structure of `loop_vars`.

    Gradient: through all rounds that ran.

    Source: https://www.tensorflow.org/api_docs/python/tf/while_loop
    """
    values = nest.map_structure(convert_to_tensor, loop_vars)
    rounds = 0
    while cond(*values) and (maximum_iterations is None or rounds < int(maximum_iterations)):
        following = body(*values)
        values = nest.pack_sequence_as(loop_vars, nest.flatten(following))
        rounds += 1
    return values


def _rows(elems: Any) -> list[Any]:
    """The rows of a value, or of each value of a structure."""
    columns = [unstack(each) for each in nest.flatten(elems)]
    return [nest.pack_sequence_as(elems, row) for row in zip(*columns, strict=True)]


def _stacked(rows: list[Any]) -> Any:
    """Rows of one structure as one structure of stacks."""
    columns = zip(*(nest.flatten(row) for row in rows), strict=True)
    return nest.pack_sequence_as(rows[0], [stack(list(column)) for column in columns])


def map_fn(fn: Callable[[Any], Any], elems: Any, dtype: Any = None, **_: Any) -> Any:
    """`fn` of each row, stacked.

    Args:
        fn: Takes one row.
        elems: Rank at least 1, or a structure of such values.
        dtype: Ignored, like all other settings: `fn` decides.

    Gradient: through each call.

    Source: https://www.tensorflow.org/api_docs/python/tf/map_fn
    """
    return _stacked([fn(row) for row in _rows(elems)])


def foldl(fn: Callable[[Any, Any], Any], elems: Any, initializer: Any = None, **_: Any) -> Any:
    """`fn(so_far, row)` over all rows, from first to last; the last answer.

    Args:
        fn: Takes what came of the rows so far, and the next row.
        elems: Rank at least 1, or a structure of such values.
        initializer: What to begin with; the first row by default.

    Gradient: through each call.

    Source: https://www.tensorflow.org/api_docs/python/tf/foldl
    """
    return _folded(fn, elems, initializer)[-1]


def scan(fn: Callable[[Any, Any], Any], elems: Any, initializer: Any = None, **_: Any) -> Any:
    """As `foldl`, but all answers on the way, stacked.

    Args:
        fn: Takes what came of the rows so far, and the next row.
        elems: Rank at least 1, or a structure of such values.
        initializer: What to begin with; the first row by default, which then is the first answer too.

    Gradient: through each call.

    Source: https://www.tensorflow.org/api_docs/python/tf/scan
    """
    answers = _folded(fn, elems, initializer)
    return _stacked(answers if initializer is None else answers[1:])


def _folded(fn: Callable[[Any, Any], Any], elems: Any, initializer: Any) -> list[Any]:
    rows = _rows(elems)
    given = initializer is not None
    answers = [nest.map_structure(convert_to_tensor, initializer) if given else rows.pop(0)]
    for row in rows:
        answers.append(fn(answers[-1], row))
    return answers
