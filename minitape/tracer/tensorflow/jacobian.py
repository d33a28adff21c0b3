"""Traces the backward pass of a Jacobian, row by row.

TensorFlow computes a Jacobian with a vectorized graph, whose steps cannot be traced. The program gets its result; for the
trace, the backward pass is run again for each row, so the tapes are kept until then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from minitape.tracer.tensorflow.forward import Forward
from minitape.tracer.tensorflow.internals import Privates
from minitape.tracer.tensorflow.notes import RunNotes
from minitape.tracer.tensorflow.tapes import RuleStep, Shadow, TapeOp
from minitape.tracer.tensorflow.values import TensorFlowValues

Backward = Callable[[Callable[[], Any]], list[RuleStep]]
Emit = Callable[[list[tuple[int, Any]], list[RuleStep], int], None]

MOST_ROWS = 64


class JacobianRows:
    """Runs backward passes again for the trace.

    Args:
        tf: The private names of TensorFlow.
        values: Identifies values.
        notes: Collects the notes about how the program was traced.
        forward: Traces ops.
        backward_pass: Returns the steps of a backward pass that a function runs.
    """

    def __init__(
        self,
        tf: Privates,
        values: TensorFlowValues,
        notes: RunNotes,
        forward: Forward,
        backward_pass: Backward,
    ) -> None:
        self._tf = tf
        self._values = values
        self._notes = notes
        self._forward = forward
        self._walk = backward_pass

    def keeping_tapes(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Return a context in which a tape keeps its ops after a gradient call, so that a second backward pass is possible."""

        def push_new_tape(persistent: bool = False, watch_accessed_variables: bool = True) -> Any:
            return original(persistent=True, watch_accessed_variables=watch_accessed_variables)

        return push_new_tape

    @contextmanager
    def by_graph(self, is_jacobian: bool) -> Iterator[None]:
        """Return a context in which TensorFlow computes a Jacobian with a graph, although other functions run eagerly."""
        if not is_jacobian:
            yield
            return
        functions = self._tf.functions
        if not self._tf.has("functions", "run_functions_eagerly"):
            yield
            return
        eagerly = functions.functions_run_eagerly()
        functions.run_functions_eagerly(False)
        try:
            with self._forward.quiet():
                yield
        finally:
            functions.run_functions_eagerly(eagerly)

    def emit(
        self, emit: Emit, tape: Any, shadow: Shadow, api: str, target: Any, source: Any
    ) -> None:
        """Emit the backward passes of all rows of a Jacobian as one; if there are too many rows, emit only the results."""
        size = int(np.prod(target.shape)) if api == "jacobian" else int(np.prod(target.shape[1:]))
        if size > MOST_ROWS:
            self._notes.many_rows(most=MOST_ROWS)
        if tape is None or not 0 < size <= MOST_ROWS or not self._can_run_backward:
            return
        identity = self._values.watched_id_of(target)
        if identity not in shadow.watched:
            return
        seeds = self._seeds(target, api, size)
        sources = [self._handle(each) for each in self._tf.nest.flatten(source)]
        backward_passes = [
            self._walk(partial(self._row, tape, target, sources, seed)) for seed in seeds
        ]
        emit([(identity, np.stack(seeds))], _stacked(backward_passes, self._values), size)

    @property
    def _can_run_backward(self) -> bool:
        locations = (
            ("tape", "push_new_tape"),
            ("imperative_grad",) * 2,
            ("record", "stop_recording"),
        )
        return all(self._tf.has(*location) for location in locations)

    def _seeds(self, target: Any, api: str, size: int) -> list[Any]:
        numbers = self._values.numbers_of(target)
        rows = np.eye(size, dtype=numbers.dtype)
        if api == "batch_jacobian":  # one seed is used for all examples
            rows = np.repeat(rows[:, None], len(numbers), axis=1)
        return list(rows.reshape(size, *numbers.shape))

    def _handle(self, source: Any) -> Any:
        return source.handle if self._values.is_variable(source) else source

    def _row(self, tape: Any, target: Any, sources: list[Any], seed: Any) -> None:
        with self._forward.quiet(), self._tf.record.stop_recording():
            self._tf.imperative_grad.imperative_grad(
                tape, [target], sources, output_gradients=[self._tf.public.constant(seed)]
            )


def _stacked(backward_passes: list[list[RuleStep]], values: TensorFlowValues) -> list[RuleStep]:
    """Return the same steps with the rows stacked; a row whose backward pass did not reach an op gets zeros."""
    by_op: dict[TapeOp, list[RuleStep | None]] = {}
    for row, backward_pass in enumerate(backward_passes):
        for step in backward_pass:
            by_op.setdefault(step.op, [None] * len(backward_passes))[row] = step
    stacked = []
    for rows in by_op.values():
        some = next(each for each in rows if each is not None)
        arrived = [
            [None if each is None else each.arrived[i] for each in rows]
            for i in range(len(some.arrived))
        ]
        sent = [
            [None if each is None else each.sent[i] for each in rows] for i in range(len(some.sent))
        ]
        stacked.append(
            some._replace(
                arrived=tuple(_in_one(each, values) for each in arrived),
                sent=tuple(_in_one(each, values) for each in sent),
            )
        )
    return stacked


def _in_one(rows: list[Any], values: TensorFlowValues) -> Any:
    arrays = [_array(each, values) if hasattr(each, "dtype") else None for each in rows]
    some = next((each for each in arrays if each is not None), None)
    if some is None:
        return None
    return np.stack([np.zeros_like(some) if each is None else each for each in arrays])


def _array(amount: Any, values: TensorFlowValues) -> Any:
    """Return the dense array of IndexedSlices, as in the result."""
    slices = values.rows_of(amount)
    return values.numbers_of(amount) if slices is None else slices.table()
