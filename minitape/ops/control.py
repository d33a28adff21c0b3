"""TensorFlow's control flow. In eager execution, it works as Python's own control flow: one branch runs, and a loop runs its
iterations.

    cond, case, switch_case  call one of several functions
    while_loop               repeat while a condition is true
    map_fn, foldl, foldr, scan
                             over the rows of a value: apply a function to each; combine all; return all intermediate results

The tape records the ops that run, so the gradient passes through the branch that ran, or through all iterations.
"""

from collections.abc import Callable
from typing import Any

from minitape.core import nest
from minitape.core.convert import convert_to_tensor, is_engine_value
from minitape.core.dtypes import as_dtype
from minitape.errors import (
    InvalidArgumentError,
    OutOfRangeError,
    TapeTypeError,
    TapeValueError,
)
from minitape.ops.axes import whole_number
from minitape.ops.creation import zeros
from minitape.ops.joining import stack, unstack
from minitape.ops.tensor_array import TensorArray


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """Call `true_fn` if `pred` is true, otherwise `false_fn`.

    Args:
        pred: A bool, or a scalar tensor.
        true_fn: A function without arguments.
        false_fn: A function without arguments.
        name: Ignored.

    Returns:
        The result of the function that was called.

    Raises:
        TypeError: one of the two is not callable.

    Gradient: It flows through the branch that ran, but not through `pred`.

    Source: https://www.tensorflow.org/api_docs/python/tf/cond
    """
    if_true = _function(true_fn, "true_fn")
    if_false = _function(false_fn, "false_fn")
    return if_true() if convert_to_tensor(pred) else if_false()


def _function(given: Any, role: str) -> Callable[..., Any]:
    """Return an argument that must be callable."""
    if not callable(given):
        raise TapeTypeError(
            f"'{role}' must be callable, but is {_kind(given)}.", fix=f"pass `{role}=lambda: value`"
        )
    function: Callable[..., Any] = given
    return function


def _kind(given: Any) -> str:
    return f"of type {type(given).__name__}"


def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """Call the function of the first condition that is true.

    Args:
        pred_fn_pairs: Pairs of a boolean tensor and a function without arguments.
        default: The function to call if no condition is true.
        exclusive: Whether it is an error if several conditions are true.
        strict: Ignored, because it applies only to graphs.
        name: Ignored.

    Returns:
        The result of the function that was called.

    Raises:
        TypeError: a condition is not a boolean tensor, or its function is not callable.
        InvalidArgumentError: no condition is true and the default is missing, or several are true and `exclusive` is set.

    Unlike in TensorFlow, several true conditions with `exclusive` raise an error, as TensorFlow's documentation specifies
    (TensorFlow's code calls the first function).

    Gradient: It flows through the function that was called.

    Source: https://www.tensorflow.org/api_docs/python/tf/case
    """
    held = [function for condition, function in _pairs(pred_fn_pairs) if condition]
    if default is not None:
        _function(default, "default")
    if exclusive and len(held) > 1:
        raise InvalidArgumentError(
            f"`case` was called with `exclusive=True`, but {len(held)} conditions are true."
        )
    if not held and default is None:
        raise InvalidArgumentError(
            "No condition of `case` is true, and `default` is missing.", fix="pass `default=...`"
        )
    if held:
        return held[0]()
    assert default is not None
    return default()


def _pairs(pred_fn_pairs: Any) -> list[tuple[Any, Callable[..., Any]]]:
    if isinstance(pred_fn_pairs, dict):
        pred_fn_pairs = list(pred_fn_pairs.items())
    if not isinstance(pred_fn_pairs, list | tuple):
        raise TapeTypeError(
            f"`case` requires a list of pairs, but got a value {_kind(pred_fn_pairs)}.",
            fix="use `tf.case([(x > 0, lambda: a), (x < 0, lambda: b)])`",
        )
    for pair in pred_fn_pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TapeTypeError(
                "Each entry of `case` must be a pair of a condition and a function."
            )
        condition, function = pair
        if not is_engine_value(condition) or condition.dtype.name != "bool":
            raise TapeTypeError(
                f"A condition of `case` must be a boolean tensor, but is {_kind(condition)}.",
                fix="use `tf.constant(condition)`, or a Python `if` statement",
            )
        _function(function, "fn")
    return list(pred_fn_pairs)


def switch_case(
    branch_index: Any,
    branch_fns: Any,
    default: Callable[[], Any] | None = None,
    name: str = "switch_case",
) -> Any:
    """Call the function with index `branch_index`; if there is none, call the default or, without a default, the last function.

    Args:
        branch_index: A scalar integer tensor.
        branch_fns: A list of functions, or of pairs (index, function), or a dict of them.
        default: The function to call if the index is out of range.
        name: Ignored.

    Returns:
        The result of the function that was called.

    Raises:
        TypeError: `branch_index` is not an integer tensor, or a branch is not callable.
        ValueError: there are no branches, or their indices are not 0, 1, 2 ... without a gap.

    Gradient: It flows through the function that was called.

    Source: https://www.tensorflow.org/api_docs/python/tf/switch_case
    """
    if not is_engine_value(branch_index) or not branch_index.dtype.is_integer:
        raise TapeTypeError(
            f"'branch_index' must be an integer tensor, but is {_kind(branch_index)}.",
            fix="use `branch_fns[i]()` for a Python integer",
        )
    pairs = branch_fns.items() if isinstance(branch_fns, dict) else branch_fns
    numbered: dict[int, Any] = dict(
        each if isinstance(each, tuple) else (i, each) for i, each in enumerate(pairs)
    )
    if sorted(numbered) != list(range(len(numbered))) or not numbered:
        raise TapeValueError(
            f"The branches of `switch_case` must be numbered 0, 1, 2, ..., but are numbered {sorted(numbered)}."
        )
    branches = [_function(numbered[i], f"branch {i}") for i in range(len(numbered))]
    otherwise = branches[-1] if default is None else _function(default, "default")
    index = int(branch_index)
    return (branches[index] if 0 <= index < len(branches) else otherwise)()


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
    """Replace `loop_vars` by `body(*loop_vars)` while `cond(*loop_vars)` is true.

    Args:
        cond: A function that takes the loop variables and returns whether to run another iteration.
        body: A function that takes the loop variables and returns their next values.
        loop_vars: A list or tuple with the initial values of the loop variables.
        shape_invariants: Ignored, like `parallel_iterations`, `back_prop`, `swap_memory` and `name`, which apply only to graphs.
        maximum_iterations: The maximum number of iterations.

    Returns:
        The values after the last iteration, as tensors; `loop_vars` if no iteration ran.

    Raises:
        TypeError: `cond` or `body` is not callable, or the result of `body` is not a list.
        ValueError: there are no variables, or `body` returns a different structure.

    Gradient: It flows through all iterations.

    Source: https://www.tensorflow.org/api_docs/python/tf/while_loop
    """
    _function(cond, "cond")
    _function(body, "body")
    if not loop_vars:
        raise TapeValueError(
            "No loop variables provided.", fix="use `tf.while_loop(cond, body, [x])`"
        )
    values = loop_vars
    iterations = 0
    while cond(*values) and (
        maximum_iterations is None or iterations < whole_number(maximum_iterations)
    ):
        values = body(*values)
        if maximum_iterations is None:
            nest.assert_same_structure(list(loop_vars), _next_values(values, len(loop_vars)))
        else:  # TensorFlow adds a counter to the variables, so a list must not become a tuple
            nest.assert_same_structure(loop_vars, values)
        iterations += 1
    return nest.map_structure(_handed_on, values)


def _next_values(values: Any, count: int) -> list[Any]:
    """Return the result of the body of a loop as a list; the entries of a tensor are its rows."""
    try:
        return list(values)
    except TypeError as error:
        raise TapeTypeError(
            f"The body of `while_loop` must return the next values as a list, but returned a value {_kind(values)}.",
            fix="write `return [x]`" if count == 1 else "write `return [x, y]`",
        ) from error


def _handed_on(value: Any) -> Any:
    return value if isinstance(value, TensorArray) else convert_to_tensor(value)


def _rows(elems: Any, op: str) -> list[Any]:
    """Return the rows of a value, or of all values of a structure."""
    values = [convert_to_tensor(each) for each in nest.flatten(elems)]
    if not values:
        raise TapeValueError(f"`{op}` got a structure that contains no value.")
    if any(len(each.shape) == 0 for each in values):
        raise TapeValueError(
            f"`{op}` iterates over the rows of a value, but a scalar has no rows.",
            fix="use `tf.reshape(x, [1])`",
        )
    if len({each.shape[0] for each in values}) > 1:
        lengths = ", ".join(str(each.shape[0]) for each in values)
        raise TapeValueError(f"`{op}` got values with different numbers of rows: {lengths}.")
    return [
        nest.pack_sequence_as(elems, row)
        for row in zip(*(unstack(each) for each in values), strict=True)
    ]


def _stacked(rows: list[Any], like: Any) -> Any:
    """Return rows of one structure as one structure of stacked tensors; without rows, empty tensors like the values of `like`."""
    if not rows:
        return nest.map_structure(lambda each: zeros([0, *each.shape], each.dtype), like)
    columns = zip(*(nest.flatten(row) for row in rows), strict=True)
    return nest.pack_sequence_as(rows[0], [stack(list(column)) for column in columns])


def map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """Apply `fn` to each row and stack the results.

    Args:
        fn: Takes one row.
        elems: A tensor of rank at least 1, or a structure of such tensors.
        dtype: The older name of `fn_output_signature`.
        fn_output_signature: The dtype of the results of `fn`, or a structure of dtypes or `tf.TensorSpec`; by default those of
            `elems`.

    The other settings are ignored, because they apply only to graphs.

    Returns:
        The results, stacked along a new first axis.

    Raises:
        TypeError: `fn` is not callable.
        ValueError: `elems` has no rows, or the structure of the results differs from the signature.
        InvalidArgumentError: the dtype of the results differs from the signature.

    Gradient: It flows through each call to the function.

    Source: https://www.tensorflow.org/api_docs/python/tf/map_fn
    """
    _function(fn, "fn")
    rows = _rows(elems, "map_fn")
    said = fn_output_signature if dtype is None else dtype
    if said is None:
        said = nest.map_structure(lambda each: convert_to_tensor(each).dtype, elems)
    answers = [_checked_row(fn(row), said) for row in rows]
    if not answers:
        return nest.map_structure(lambda each: zeros([0], getattr(each, "dtype", each)), said)
    return _stacked(answers, None)


def _checked_row(answer: Any, said: Any) -> Any:
    """Return the result of `fn` for one row as tensors, checked against the signature."""
    nest.assert_same_structure(said, answer)
    tensors = nest.map_structure(convert_to_tensor, answer)
    for tensor, each in zip(nest.flatten(tensors), nest.flatten(said), strict=True):
        wanted = as_dtype(getattr(each, "dtype", each))
        if tensor.dtype != wanted:
            raise InvalidArgumentError(
                f"The function of `map_fn` must return {wanted.name} (the dtype of its rows, or the requested dtype), "
                f"but returned {tensor.dtype.name}.",
                fix=f"use `tf.map_fn(fn, elems, fn_output_signature=tf.{tensor.dtype.name})`",
            )
    return tensors


def foldl(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Combine all rows from first to last: `fn(accumulated, row)` returns the next accumulated value.

    Args:
        fn: A function that takes the accumulated value and the next row, and returns the next accumulated value.
        elems: A tensor of rank at least 1, or a structure of such tensors.
        initializer: The initial accumulated value; the first row by default.

    The other settings are ignored, because they apply only to graphs.

    Returns:
        The last accumulated value.

    Raises:
        TypeError: `fn` is not callable.
        ValueError: `elems` is a scalar.
        OutOfRangeError: there is neither a row nor an `initializer`.

    Gradient: It flows through each call to the function.

    Source: https://www.tensorflow.org/api_docs/python/tf/foldl
    """
    return _folded(_function(fn, "fn"), _rows(elems, "foldl"), initializer, "foldl")[-1]


def foldr(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Combine all rows as `foldl` does, but from last to first.

    Args:
        fn: A function that takes the accumulated value and the next row, and returns the next accumulated value.
        elems: A tensor of rank at least 1, or a structure of such tensors.
        initializer: The initial accumulated value; the last row by default.

    The other settings are ignored, because they apply only to graphs.

    Returns:
        The last accumulated value.

    Gradient: It flows through each call to the function.

    Source: https://www.tensorflow.org/api_docs/python/tf/foldr
    """
    backwards = _rows(elems, "foldr")[::-1]
    return _folded(_function(fn, "fn"), backwards, initializer, "foldr")[-1]


def scan(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """Combine all rows like `foldl`, and stack all accumulated values.

    Args:
        fn: A function that takes the accumulated value and the next row, and returns the next accumulated value.
        elems: A tensor of rank at least 1, or a structure of such tensors.
        initializer: The initial accumulated value; by default the first row, which then is also the first result.
        reverse: Whether to process the rows from last to first; each result is at the index of its row.

    The other settings are ignored, because they apply only to graphs.

    Returns:
        The accumulated values, stacked along a new first axis.

    Raises:
        TypeError: `fn` is not callable.
        ValueError: `elems` is a scalar.
        OutOfRangeError: there is neither a row nor an `initializer`.

    Gradient: It flows through each call to the function.

    Source: https://www.tensorflow.org/api_docs/python/tf/scan
    """
    rows = _rows(elems, "scan")
    answers = _folded(_function(fn, "fn"), rows[::-1] if reverse else rows, initializer, "scan")
    begun = answers[0]
    if initializer is not None:
        answers = answers[1:]
    return _stacked(answers[::-1] if reverse else answers, begun)


def _folded(fn: Callable[..., Any], rows: list[Any], initializer: Any, op: str) -> list[Any]:
    """Return the initial value, followed by the accumulated value after each row."""
    if initializer is not None:
        answers = [nest.map_structure(convert_to_tensor, initializer)]
    elif rows:
        answers = [rows.pop(0)]
    else:
        raise OutOfRangeError(
            f"`{op}` got neither a row nor an initializer.",
            fix=f"use `tf.{op}(..., initializer=x)`",
        )
    for row in rows:
        answer = fn(answers[-1], row)
        nest.assert_same_structure(answers[-1], answer)
        answers.append(nest.map_structure(convert_to_tensor, answer))
    return answers
