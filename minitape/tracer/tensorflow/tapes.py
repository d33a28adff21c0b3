"""Computes which tape watches which value, in parallel to TensorFlow, whose own sets are in C++ and cannot be read.

The rule is TensorFlow's: a tape records an op if it watches one of its differentiable inputs, and then watches the outputs.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple


class TapeOp:
    """An op on a tape. TensorFlow passes its attributes to the gradient rule as the same object, which identifies the op of
    a step."""

    __slots__ = ("__weakref__", "attributes", "inputs", "name", "outputs")

    def __init__(
        self, name: str, attributes: Any, inputs: tuple[int, ...], outputs: tuple[int, ...]
    ) -> None:
        self.name = name
        self.attributes = attributes
        self.inputs = inputs  # 0 for values that have no number
        self.outputs = outputs


class RuleStep(NamedTuple):
    """A gradient rule that ran: its op, its cotangents, its results."""

    op: TapeOp
    arrived: tuple[Any, ...]
    sent: tuple[Any, ...]  # one for each input, or None
    taken: set[int]
    needless: Sequence[int] = ()  # the inputs whose gradients are not needed


class Shadow:
    """The values that one tape watches and the ops that it has recorded."""

    def __init__(self, number: int, persistent: bool, watches_variables: bool) -> None:
        self.number = number
        self.persistent = persistent
        self.watches_variables = watches_variables
        self.watched: set[int] = set()
        self.records: list[TapeOp] = []
        self.functions_before = 0  # completed calls of compiled functions when it was opened

    def forget(self) -> int:
        """Discard everything; return the number of ops."""
        dropped = len(self.records)
        self.watched, self.records = set(), []
        return dropped


class _TapeThread(threading.local):
    active: tuple[Shadow, ...] = ()


class ShadowTapes:
    """The shadows of all tapes, and for each thread the tapes that are recording.

    Args:
        tfe: TensorFlow's C++ module.
    """

    def __init__(self, tfe: Any) -> None:
        # `stop_gradient`, `recompute_grad` and similar functions pause all tapes of the thread.
        self.are_stopped: Callable[[], bool] = tfe.TFE_Py_TapeSetIsStopped
        self._shadows: weakref.WeakKeyDictionary[Any, Shadow] = weakref.WeakKeyDictionary()
        self._by_attributes: weakref.WeakValueDictionary[int, TapeOp] = (
            weakref.WeakValueDictionary()
        )
        self._next_number = count(1).__next__
        self._thread = _TapeThread()

    @property
    def active(self) -> tuple[Shadow, ...]:
        return self._thread.active

    def of(self, tape: Any) -> Shadow:
        """Return the shadow of a tape of the program."""
        shadow = self._shadows.get(tape)
        if shadow is None:
            shadow = self._shadows[tape] = Shadow(
                self._next_number(), tape._persistent, tape._watch_accessed_variables
            )
        return shadow

    def push(self, shadow: Shadow) -> None:
        self._thread.active = (*self._thread.active, shadow)

    def pop(self, shadow: Shadow) -> None:
        self._thread.active = tuple(each for each in self._thread.active if each is not shadow)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Return a context in which no tape of this thread records."""
        active, self._thread.active = self._thread.active, ()
        try:
            yield
        finally:
            self._thread.active = active

    def record(
        self,
        name: str,
        attributes: Any,
        inputs: tuple[int, ...],
        differentiable: Iterable[int],
        outputs: tuple[int, ...],
        *,
        is_recorded: bool = True,
    ) -> list[Shadow]:
        """Record an op on all tapes that watch one of its inputs; return these tapes.

        Args:
            name: The name of the op.
            attributes: Its attributes, the object that will be passed to its gradient rule.
            inputs: The numbers of its inputs.
            differentiable: The inputs among them that are differentiable.
            outputs: The numbers of its outputs.
            is_recorded: False for an op that is not differentiable; its outputs are watched, but have no backward step.
        """
        active = self._thread.active
        if not active or self.are_stopped():
            return []
        ids = set(differentiable)
        watching = [each for each in active if not each.watched.isdisjoint(ids)]
        if not watching:
            return []
        record = TapeOp(name, attributes, inputs, outputs)
        for shadow in watching:
            shadow.watched.update(outputs)
            if is_recorded:
                shadow.records.append(record)
        if not is_recorded:
            return []
        if attributes:
            self._by_attributes[id(attributes)] = record
        return watching

    def recorded(self, attributes: Any) -> TapeOp | None:
        """Return the op with these attributes."""
        return self._by_attributes.get(id(attributes)) if attributes else None
