"""minitape as an engine: it emits its own events (`core/listeners.py`), so this module is only a thin adapter."""

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from numpy import asarray

from minitape.autodiff.gradient_tape import GradientTape
from minitape.core import dtypes, listeners, nest, recorders
from minitape.core.batched import Batched
from minitape.core.events import GradientCalled
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.tensor import TensorLike
from minitape.core.variable import AfterAssign, Variable
from minitape.tracer import source
from minitape.tracer.accumulation import SparseRows
from minitape.tracer.engine import EventSink


class Minitape:
    """See `Engine`."""

    header: dict[str, Any] = {}  # noqa: RUF012  # a trace without an engine is minitape's
    notes = ()

    def connected(self, sink: EventSink) -> AbstractContextManager[Any]:
        return listeners.listen(sink)

    def untraced(self, end: Callable[[], None]) -> AbstractContextManager[Any]:
        end()
        return nullcontext()

    def is_own(self, filename: str) -> bool:
        return not source.is_librarys(filename)

    # --- values ---

    def is_value(self, thing: Any) -> bool:
        return isinstance(thing, TensorLike)

    def is_variable(self, thing: Any) -> bool:
        return isinstance(thing, Variable)

    def id_of(self, value: Any) -> int:
        identity: int = value._id
        return identity

    def numbers_of(self, value: Any) -> Any:
        if isinstance(value, TensorLike):
            return value._array
        if type(value) is Batched:
            return self.numbers_of(value.stack)
        if type(value) is IndexedSlices:
            return self.numbers_of(value.values)
        return value

    def rows_of(self, amount: Any) -> SparseRows | None:
        if type(amount) is not IndexedSlices:
            return None
        shape = asarray(self.numbers_of(amount.dense_shape)).tolist()
        return SparseRows(
            self.numbers_of(amount.values), self.numbers_of(amount.indices), tuple(shape)
        )

    def dtype_of(self, numbers: Any) -> str:
        dtype = dtypes.BY_NUMPY.get(numbers.dtype)
        return dtype.name if dtype else str(numbers.dtype)

    def leaves_of(self, structure: Any) -> Sequence[Any]:
        return nest.flatten(structure)

    def is_whole(self, value: Any) -> bool:
        return value._array.dtype.kind in "iub"

    def put(self, value: Any, numbers: Any) -> None:
        tensor = value._tensor if isinstance(value, Variable) else value
        tensor._array = numbers

    # --- variables ---

    def path_of(self, variable: Any) -> str:
        return str(variable.path)

    def is_trainable(self, variable: Any) -> bool:
        return bool(variable._trainable)

    def origin_of(self, variable: Any) -> Any:
        return variable._origin if isinstance(variable, AfterAssign) else None

    def is_made_by_user(self) -> bool:
        frame = sys._getframe(1)
        while frame is not None and frame.f_code is not Variable.__init__.__code__:
            frame = frame.f_back  # type: ignore[assignment]
        caller = None if frame is None else frame.f_back
        return caller is not None and source.is_users(caller.f_code.co_filename)

    # --- tapes ---

    def is_tape(self, thing: Any) -> bool:
        return isinstance(thing, GradientTape)

    def number_of(self, tape: Any) -> int:
        number: int = tape._number
        return number

    def left_as_it_is(self, tape: GradientTape) -> AbstractContextManager[Any]:
        return tape._preserved()

    def watching(self, value: Any) -> list[int]:
        return [tape.number for tape in recorders.thread.active if value._id in tape.watched]

    def recording(self) -> list[int]:
        return [tape.number for tape in recorders.thread.active]

    def refusal(self, error: BaseException, call: GradientCalled) -> None:
        """Return None, because minitape's errors have their own messages, which the explainer uses."""
