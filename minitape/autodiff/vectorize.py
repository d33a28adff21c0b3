"""vectorized_map calls a function once for a whole batch of values.

The function is called once, with a `Batched` in place of each element; every op in it then computes all elements at once, by its
batch rule. A function that cannot run on a batch (an `if` on a value, NumPy, a tape inside) runs in a loop, with a warning.

Source: https://www.tensorflow.org/api_docs/python/tf/vectorized_map
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from minitape.core import nest
from minitape.core.arguments import function_given
from minitape.core.batched import Batched
from minitape.core.convert import convert_to_tensor
from minitape.core.frames import report_loop
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import Tensor
from minitape.errors import InvalidArgumentError, LoopWarning, TapeIndexError, TapeValueError
from minitape.ops.seeds import put_back, state_of_the_generator

Function = Callable[[Any], Any]


def vectorized_map(
    fn: Function, elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """Apply `fn` to each element along the first axis, all at once.

    Args:
        fn: A function that takes one element, in the structure of `elems`, and returns a tensor or a nested structure of tensors.
        elems: A tensor, or a nested structure of tensors with first axes of equal size; a tensor whose first axis has size 1 is
            repeated.
        fallback_to_while_loop: Whether to run a loop if `fn` cannot run on a batch.
        warn: Whether to warn in this case.

    Returns:
        The results in the structure that `fn` returns, stacked along a new first axis.

    Raises:
        IndexError: an element has no first axis.
        InvalidArgumentError: the first axes differ in size.
        ValueError: a loop is needed, and `fallback_to_while_loop` is False.

    Unlike in TensorFlow, a function that uses Python's `if` or `float` on a value runs in a loop (TensorFlow raises an error).
    `fn` is then called again from the start.

    Gradient: It is the gradient of the ops in `fn`.

    Source: https://www.tensorflow.org/api_docs/python/tf/vectorized_map

    >>> rows = convert_to_tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> vectorized_map(lambda row: row[0] * row, rows).numpy().tolist()
    [[1.0, 2.0], [9.0, 12.0]]
    """
    function_given(fn, "fn")
    stacks = _of_one_size(list(map(convert_to_tensor, nest.flatten(elems))))
    size = int(stacks[0].shape[0])
    before = state_of_the_generator()
    try:
        with _loops_inside(allowed=fallback_to_while_loop, reported=warn):
            return _at_once(fn, nest.pack_sequence_as(elems, map(Batched, stacks)), size)
    except Exception as error:
        # running the loop shows whether `fn` has a mistake or only cannot run on Batched values
        why = (str(error) or type(error).__name__).splitlines()[0]
        if not size:
            raise
        if not fallback_to_while_loop:
            raise TapeValueError(
                f"The function cannot run on a batch of values: {why}",
                fix="remove `fallback_to_while_loop`, or use `tf.map_fn`",
                code="MT507",
            ) from error
    put_back(before)
    result = _in_a_loop(fn, elems, stacks, size)
    if warn:
        report_loop(f"`vectorized_map` cannot run the function on a batch ({why.rstrip('.')})")
    return result


@contextmanager
def _loops_inside(*, allowed: bool, reported: bool) -> Iterator[None]:
    """Enable or disable the warning for a single op that has to run in a loop."""
    if allowed and reported:
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if allowed else "error", LoopWarning)
        yield


def _at_once(fn: Function, elements: Any, size: int) -> Any:
    before = state_of_the_generator()
    answer = fn(elements)
    if state_of_the_generator() != before:
        raise TapeValueError(
            "the function draws random numbers, which must differ between the elements"
        )
    return nest.map_structure(lambda leaf: _as_stack(leaf, size), answer)


def _as_stack(leaf: Any, size: int) -> Tensor | None:
    """Return one leaf of the result as a batch; a leaf that does not depend on the element is repeated."""
    if leaf is None:
        return None
    if isinstance(leaf, Batched):
        return leaf.stack if isinstance(leaf.stack, Tensor) else Tensor(leaf.stack)
    same = convert_to_tensor(leaf)
    repeated: Tensor = PRIMITIVES["BroadcastTo"](same, shape=(size, *same.shape))
    return repeated


def _in_a_loop(fn: Function, elems: Any, stacks: list[Tensor], size: int) -> Any:
    answers = [fn(nest.pack_sequence_as(elems, [each[i] for each in stacks])) for i in range(size)]
    return nest.map_structure(_stacked, *answers)


def _stacked(*leaves: Any) -> Tensor | None:
    if leaves[0] is None:
        return None
    stack: Tensor = PRIMITIVES["Pack"](*map(convert_to_tensor, leaves), axis=0)
    return stack


def _of_one_size(stacks: list[Tensor]) -> list[Tensor]:
    """Return the batches; a batch of a single element is repeated to the size of the others."""
    for each in stacks:
        if not len(each.shape):
            raise TapeIndexError(
                "`vectorized_map` maps over the first axis, but one of the inputs is a scalar.",
                fix="use `tf.constant([1.0, 2.0])` instead of `[1.0, 2.0]`, because a list is a structure of two inputs",
                code="MT507",
            )
    sizes = {int(each.shape[0]) for each in stacks}
    others = sizes - {1} or {1}
    if len(others) > 1:
        raise InvalidArgumentError(
            f"`vectorized_map` got first axes of different sizes: {sorted(sizes)}.",
            fix="pass `elems` whose first axes have the same size",
            code="MT507",
        )
    size = others.pop()
    return [
        each
        if each.shape[0] == size
        else PRIMITIVES["BroadcastTo"](each, shape=(size, *each.shape[1:]))
        for each in stacks
    ]
