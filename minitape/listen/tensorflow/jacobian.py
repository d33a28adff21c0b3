"""The walk behind a jacobian, row by row.

TensorFlow computes a jacobian by a graph that is vectorised, which lets nobody hear a step. Its answer is what the program gets;
for the trace the tape is walked again, once for each row, so tapes have to be kept until then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from minitape.listen.tensorflow.forward import Forward
from minitape.listen.tensorflow.privates import Privates
from minitape.listen.tensorflow.remarks import Remarks
from minitape.listen.tensorflow.tapes import Recorded, Shadow, Step
from minitape.listen.tensorflow.values import Values

Walk = Callable[[Callable[[], Any]], list[Step]]
Tell = Callable[[list[tuple[int, Any]], list[Step], int], None]

MOST_ROWS = 64


class Rows:
    """Walks again for the trace.

    Args:
        tf: TensorFlow's inside.
        values: What is what.
        remarks: What has to be said.
        forward: Who hears ops.
        walk: Gives the steps of a walk that a function makes.
    """

    def __init__(
        self, tf: Privates, values: Values, remarks: Remarks, forward: Forward, walk: Walk
    ) -> None:
        self._tf = tf
        self._values = values
        self._remarks = remarks
        self._forward = forward
        self._walk = walk

    def keeping_tapes(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """That a tape answers once is decided in Python; what it holds stays for a second walk."""

        def push_new_tape(persistent: bool = False, watch_accessed_variables: bool = True) -> Any:
            return original(persistent=True, watch_accessed_variables=watch_accessed_variables)

        return push_new_tape

    @contextmanager
    def by_graph(self, is_jacobian: bool) -> Iterator[None]:
        """Let a jacobian be computed as ever: by a graph, although functions run eagerly otherwise."""
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

    def tell(
        self, tell: Tell, tape: Any, shadow: Shadow, api: str, target: Any, source: Any
    ) -> None:
        """Tell the walk of a jacobian, all rows in one; of too many rows nothing is told but what came back."""
        size = int(np.prod(target.shape)) if api == "jacobian" else int(np.prod(target.shape[1:]))
        if size > MOST_ROWS:
            self._remarks.many_rows(most=MOST_ROWS)
        if tape is None or not 0 < size <= MOST_ROWS or not self._can_walk:
            return
        identity = self._values.watched_id_of(target)
        if identity not in shadow.watched:
            return
        seeds = self._seeds(target, api, size)
        sources = [self._handle(each) for each in self._tf.nest.flatten(source)]
        walks = [self._walk(partial(self._row, tape, target, sources, seed)) for seed in seeds]
        tell([(identity, np.stack(seeds))], _stacked(walks, self._values), size)

    @property
    def _can_walk(self) -> bool:
        places = ("tape", "push_new_tape"), ("imperative_grad",) * 2, ("record", "stop_recording")
        return all(self._tf.has(*place) for place in places)

    def _seeds(self, target: Any, api: str, size: int) -> list[Any]:
        numbers = self._values.numbers_of(target)
        rows = np.eye(size, dtype=numbers.dtype)
        if api == "batch_jacobian":  # one seed serves all examples
            rows = np.repeat(rows[:, None], len(numbers), axis=1)
        return list(rows.reshape(size, *numbers.shape))

    def _handle(self, source: Any) -> Any:
        return source.handle if self._values.is_variable(source) else source

    def _row(self, tape: Any, target: Any, sources: list[Any], seed: Any) -> None:
        with self._forward.quiet(), self._tf.record.stop_recording():
            self._tf.imperative_grad.imperative_grad(
                tape, [target], sources, output_gradients=[self._tf.public.constant(seed)]
            )


def _stacked(walks: list[list[Step]], values: Values) -> list[Step]:
    """The same steps with all rows in one; a row that did not come by an op has zeros there."""
    by_op: dict[Recorded, list[Step | None]] = {}
    for row, walk in enumerate(walks):
        for step in walk:
            by_op.setdefault(step.op, [None] * len(walks))[row] = step
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


def _in_one(rows: list[Any], values: Values) -> Any:
    arrays = [_array(each, values) if hasattr(each, "dtype") else None for each in rows]
    some = next((each for each in arrays if each is not None), None)
    if some is None:
        return None
    return np.stack([np.zeros_like(some) if each is None else each for each in arrays])


def _array(amount: Any, values: Values) -> Any:
    """Of slices the whole table, as in the answer."""
    slices = values.rows_of(amount)
    return values.numbers_of(amount) if slices is None else slices.table()
