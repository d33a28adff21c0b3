"""TensorFlow's control flow, which in eager execution is Python's own: a branch that is taken, a loop that runs.

    cond, case, switch_case  one of several functions
    while_loop               again and again, as long as a condition holds
    map_fn, foldl, foldr, scan
                             over the rows of a value: each alone; into a sum; into all sums on the way

What runs is recorded op by op, so each has the gradient of the ops inside: of the branch that was taken, of the rounds that ran.
"""

from collections.abc import Callable
from typing import Any

from minitape.core import nest
from minitape.core.convert import convert_to_tensor, is_engine_value
from minitape.errors import InvalidArgumentError, TapeTypeError
from minitape.ops.joining import stack, unstack
from minitape.ops.moving import reverse


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


def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """What the function of the first condition that holds returns.

    Args:
        pred_fn_pairs: Pairs of a bool and a function.
        default: Called where no condition holds.
        exclusive: More than one condition that holds is an error.
        strict: Ignored.
        name: Ignored.

    Raises:
        InvalidArgumentError: no condition holds and there is no default, or several hold and `exclusive` was asked for.

    Gradient: through the function that was called.

    Source: https://www.tensorflow.org/api_docs/python/tf/case
    """
    held = [function for condition, function in pred_fn_pairs if condition]
    if exclusive and len(held) > 1:
        raise InvalidArgumentError(
            f"case was asked for exclusive conditions, and {len(held)} hold."
        )
    if not held and default is None:
        raise InvalidArgumentError(
            "None of the conditions of case holds, and there is no default.", fix="default=..."
        )
    if held:
        return held[0]()
    assert default is not None
    return default()


def switch_case(
    branch_index: Any,
    branch_fns: Any,
    default: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """What the function with number `branch_index` returns; without such a function the default, or the last one.

    Args:
        branch_index: A whole number; a tensor.
        branch_fns: A list of functions, or of pairs (number, function), or a dict of them.
        default: Called where there is no such number.
        name: Ignored.

    Raises:
        TypeError: `branch_index` is no tensor.

    Gradient: through the function that was called.

    Source: https://www.tensorflow.org/api_docs/python/tf/switch_case
    """
    if not is_engine_value(branch_index):
        raise TapeTypeError(
            f"'branch_index' must be a Tensor, got {type(branch_index)}",
            fix="branch_fns[i]() for a Python number",
        )
    pairs = branch_fns.items() if isinstance(branch_fns, dict) else branch_fns
    numbered = [each if isinstance(each, tuple) else (i, each) for i, each in enumerate(pairs)]
    last = max(numbered, key=lambda pair: pair[0])[1]
    otherwise: Callable[[], Any] = last if default is None else default
    chosen: dict[int, Callable[[], Any]] = dict(numbered)
    return chosen.get(int(branch_index), otherwise)()


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


def foldr(fn: Callable[[Any, Any], Any], elems: Any, initializer: Any = None, **_: Any) -> Any:
    """As `foldl`, from the last row to the first.

    Gradient: through each call.

    Source: https://www.tensorflow.org/api_docs/python/tf/foldr
    """
    backwards = nest.map_structure(lambda each: reverse(each, [0]), elems)
    return foldl(fn, backwards, initializer)


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
