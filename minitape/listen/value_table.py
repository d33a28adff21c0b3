"""Which values the trace knows: small ids in order of appearance, names, and each tensor in numbers."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from numpy import asarray, ndarray

from minitape.listen import source
from minitape.listen.engine import Engine
from minitape.listen.packing import Packing
from minitape.listen.summary import summarise


class Known:
    """Trace ids and names of the engine's values.

    Args:
        write: Called with the kind and the fields of the event of a value that was made before anyone listened.
        engine: Whose values they are.
        packing: What room there is for their elements.
    """

    def __init__(
        self, write: Callable[[str, dict[str, Any]], None], engine: Engine, packing: Packing
    ) -> None:
        self._write = write
        self._engine = engine
        self.packing = packing
        self.ids: dict[int, int] = {}  # by the engine's own
        self.names: dict[int, str] = {}
        self._next_id = 1
        # Programs write the same few numbers again and again.
        self._of_number = lru_cache(maxsize=256, typed=True)(
            lambda number: self.of_array(asarray(number), 0)
        )

    def new(self, engine_id: int | None = None) -> int:
        """The next trace id, for the value with this engine id if it has one."""
        identity = self._next_id
        self._next_id += 1
        if engine_id is not None:
            self.ids[engine_id] = identity
        return identity

    def of(self, value: Any) -> int:
        """The trace id of an engine value; one that was made before the tracer listened gets its event now."""
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

    def summary(self, value: Any, identity: int, name: str | None = None) -> dict[str, Any]:
        """A value in numbers (`T` of the format), under its name; `name` is a new one."""
        return self.of_array(self._engine.numbers_of(value), identity, name)

    def of_array(self, array: Any, identity: int, name: str | None = None) -> dict[str, Any]:
        """The same of an array, or of a scalar of NumPy's."""
        dtype = self._engine.dtype_of(array)
        return summarise(array, identity, self.named(identity, name), dtype, self.packing)

    def again(self, told: dict[str, Any], identity: int, name: str | None = None) -> dict[str, Any]:
        """Numbers that were told already, of another value."""
        called = {"id": identity, "name": self.named(identity, name)}
        return self.packing.again(told) | called

    def of_operand(self, operand: Any, identity: int) -> dict[str, Any]:
        """The same of what is no value of the engine, and stands beside one."""
        if type(operand) in (int, float) and operand:  # 0.0 and -0.0 are equal, and two
            return self._of_number(operand) | {"id": identity}
        array = operand.view(ndarray) if isinstance(operand, ndarray) else asarray(operand)
        # As the engine takes it: in C order, and in this machine's byte order.
        array = array.astype(array.dtype.newbyteorder("="), order="C", copy=False)
        return self.of_array(array, identity)

    def named(self, identity: int, name: str | None = None) -> str | None:
        """What a value is called, from now on `name` if that is given."""
        if name is not None:
            self.names[identity] = name
        return self.names.get(identity)

    def write_variable(
        self, variable: Any, identity: int, origin: int | None, where: dict[str, Any]
    ) -> None:
        """The event of a variable: made just now, or before the tracer listened (then `where` says nowhere)."""
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
        """The trace id of a leaf, or None for what is no value of the engine."""
        return self.of(leaf) if self._engine.is_value(leaf) else None

    def name_of(self, leaf: Any) -> str | None:
        """What the user calls a leaf, as far as the trace knows."""
        return self.names.get(self.of(leaf)) if self._engine.is_value(leaf) else None

    def _name_at_top(self, engine_id: int) -> str | None:
        """What the running program calls a value at the top of a file or notebook: nobody saw it get the name."""
        modules = {
            id(frame.f_globals): frame.f_globals for frame, _ in reversed(source.Stack().calls)
        }
        for names in modules.values():
            for name, held in list(names.items()):
                if name.startswith("_"):  # a notebook calls it _, _3 and so on as well
                    continue
                if self._engine.is_value(held) and self._engine.id_of(held) == engine_id:
                    return name
        return None
