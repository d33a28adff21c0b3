"""Assigns small ids to values in order of appearance, and stores their names and the numbers of each tensor."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from numpy import asarray, ndarray

from minitape.tracer import source
from minitape.tracer.engine import Engine
from minitape.tracer.packing import Packing
from minitape.tracer.summary import summarize


class ValueTable:
    """The ids and names of the engine's values in the trace.

    Args:
        write: Called with the kind and the fields of the event of a value that was created before tracing started.
        engine: The engine of the values.
        packing: Allocates the space for their elements.
    """

    def __init__(
        self, write: Callable[[str, dict[str, Any]], None], engine: Engine, packing: Packing
    ) -> None:
        self._write = write
        self._engine = engine
        self.packing = packing
        self.ids: dict[int, int] = {}  # the keys are the engine's own ids
        self.names: dict[int, str] = {}
        self._next_id = 1
        # A cache, because programs use the same few numbers many times.
        self._of_number = lru_cache(maxsize=256, typed=True)(
            lambda number: self.of_array(asarray(number), 0)
        )

    def new(self, engine_id: int | None = None) -> int:
        """Return the next id in the trace; it belongs to the value with this engine id, if there is one."""
        identity = self._next_id
        self._next_id += 1
        if engine_id is not None:
            self.ids[engine_id] = identity
        return identity

    def named(self, engine_id: int | None, name: str | None) -> int:
        """Return the id in the trace of the value with this engine id, or a new one; it gets the name, if there is one."""
        identity = None if engine_id is None else self.ids.get(engine_id)
        if identity is None:
            identity = self.new(engine_id)
        if name is not None:
            self.names[identity] = name
        return identity

    def of(self, value: Any) -> int:
        """Return the id of an engine value in the trace; for a value created before tracing started, its event is written now."""
        engine_id = self._engine.id_of(value)
        identity = self.ids.get(engine_id)
        if identity is None:
            identity = self.new(engine_id)
            name = self._name_at_top(engine_id)
            if name is not None:
                self.names[identity] = name
            if self._engine.is_variable(value):
                origin = self.of_any(self._engine.origin_of(value))
                self.write_variable(value, identity, origin, {"at": None, "stack": []})
            else:
                fields = {
                    "T": self.summary(value, identity),
                    "how": "earlier",
                    "text": None,
                    "from": None,
                }
                self._write("constant", {**fields, "at": None, "stack": []})
        return identity

    def summary(self, value: Any, identity: int) -> dict[str, Any]:
        """Return the statistics of a value (`T` of the format) with its name."""
        return self.of_array(self._engine.numbers_of(value), identity)

    def of_array(self, array: Any, identity: int) -> dict[str, Any]:
        """Return the summary of an array or a NumPy scalar."""
        dtype = self._engine.dtype_of(array)
        return summarize(array, identity, self.names.get(identity), dtype, self.packing)

    def again(self, reported: dict[str, Any], identity: int) -> dict[str, Any]:
        """Return the statistics of another value."""
        called = {"id": identity, "name": self.names.get(identity)}
        return self.packing.again(reported) | called

    def of_operand(self, operand: Any, identity: int) -> dict[str, Any]:
        """Return the statistics of an operand that is not a value of the engine."""
        if (
            type(operand) in (int, float) and operand
        ):  # 0.0 and -0.0 compare equal, but are different values
            return self._of_number(operand) | {"id": identity}
        array = operand.view(ndarray) if isinstance(operand, ndarray) else asarray(operand)
        # Convert it as the engine does, to C order and native byte order.
        array = array.astype(array.dtype.newbyteorder("="), order="C", copy=False)
        return self.of_array(array, identity)

    def write_variable(
        self, variable: Any, identity: int, origin: int | None, where: dict[str, Any]
    ) -> None:
        """Write the event of a variable: just created, or created before tracing started (`where` then has no location)."""
        path = self._engine.path_of(variable)
        self.names.setdefault(identity, path)
        self._write(
            "variable",
            {
                "var": identity,
                "name": f"{path}:0",
                "T": self.summary(variable, identity),
                "trainable": self._engine.is_trainable(variable),
                "from": origin,
                **where,
            },
        )

    def of_any(self, leaf: Any) -> int | None:
        """Return the id of a leaf in the trace; None if it is not a value of the engine."""
        return self.of(leaf) if self._engine.is_value(leaf) else None

    def name_of(self, leaf: Any) -> str | None:
        """Return the name of a leaf, if the trace has one."""
        return self.names.get(self.of(leaf)) if self._engine.is_value(leaf) else None

    def _name_at_top(self, engine_id: int) -> str | None:
        """Return the name of a value at the top level of the running file or notebook, where no event shows the assignment."""
        modules = {
            id(frame.f_globals): frame.f_globals for frame, _ in reversed(source.Stack().calls)
        }
        for names in modules.values():
            for name, held in list(names.items()):
                if name.startswith("_"):  # a notebook also gives it the names _, _3 and so on
                    continue
                if self._engine.is_value(held) and self._engine.id_of(held) == engine_id:
                    return name
        return None
