"""Recognizes values that left the engine when they re-enter.

A tape does not record NumPy and Python operations, but the tracer can follow values through them. An object that leaves the
engine is marked with the number of its exit, and the mark is passed on.

    an ndarray      leaves as a LabeledArray with the same numbers, which passes its mark through NumPy functions
    a NumPy scalar  leaves as a scalar of a class derived from its own, which does the same
    a Python float  is remembered by its identity, and recognized when the same object comes back
    a list or dict  is recognized by its elements

Small ints and booleans are shared by the whole program, so they carry no mark. A mark that passed through integers, booleans or
rounding is stored with a minus sign: the value comes from that exit, but its derivative is 0 or undefined.
"""

from collections import OrderedDict
from typing import Any

import numpy as np

Exits = frozenset[int]
NONE: Exits = frozenset()
_KEPT_OBJECTS = 100_000
_LOOKED_INTO = 10_000


def flat(exits: Exits) -> Exits:
    """Return the same exits with a minus sign, which means that the derivative ends there."""
    return frozenset(-abs(number) for number in exits)


class MarkTable:
    """The objects that left the engine, with their exits."""

    def __init__(self) -> None:
        # The objects themselves are kept, so that no other object can get the same id.
        self._objects: OrderedDict[int, tuple[Any, Exits]] = OrderedDict()

    def mark(self, product: Any, exits: Exits) -> Any:
        """Return `product` with a mark: the object itself, or an equal copy that carries one."""
        if isinstance(product, np.ndarray):
            twin = product.view(LabeledArray)
            carried = exits | self.exits_of(product)
            twin.exits = flat(carried) if product.dtype.kind in "iub" else carried
            twin.memory = self
            return twin
        if isinstance(product, tuple | list) and type(product) in (tuple, list):
            return type(product)(self.mark(each, exits) for each in product)
        if type(product) is dict:
            return {key: self.mark(each, exits) for key, each in product.items()}
        if isinstance(product, np.floating | np.complexfloating):
            kind = _LABELLED.get(type(product), type(product))
            if kind not in _LABELLED.values():
                return product
            scalar = kind(product)
            scalar.exits = exits | self.exits_of(product)
            scalar.memory = self
            return scalar
        if isinstance(product, float | complex | str | bytes):
            self._objects[id(product)] = (product, exits | self.exits_of(product))
            if len(self._objects) > _KEPT_OBJECTS:
                self._objects.popitem(last=False)
        return product

    def exits_of(self, value: Any) -> Exits:
        """Return the exits through which `value`, or anything in it, left the engine."""
        if isinstance(value, np.ndarray):
            array: Any = value
            while array is not None:
                if isinstance(array, LabeledArray) and array.exits:
                    return array.exits
                array = getattr(array, "base", None)
            return NONE
        if isinstance(value, list | tuple | dict):
            return self._exits_inside(value)
        if isinstance(value, np.generic):
            return getattr(value, "exits", NONE)
        held = self._objects.get(id(value))
        return held[1] if held is not None and held[0] is value else NONE

    def _exits_inside(self, value: Any) -> Exits:
        found: set[int] = set()
        waiting, looked = [value], 0
        while waiting and looked < _LOOKED_INTO:
            each = waiting.pop()
            looked += 1
            if isinstance(each, dict):
                waiting.extend(each.values())
            elif isinstance(each, list | tuple):
                waiting.extend(each)
            else:
                found |= self.exits_of(each)
        return frozenset(found)


class LabeledArray(np.ndarray[Any, Any]):
    """An ndarray that stores the exits of its numbers. The program sees an ordinary ndarray."""

    exits: Exits
    memory: MarkTable | None

    def __array_finalize__(self, parent: Any) -> None:
        self.exits = getattr(parent, "exits", NONE)
        self.memory = getattr(parent, "memory", None)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        product = getattr(ufunc, method)(*_plain(inputs), **_plain(kwargs))
        into = kwargs.get("out")
        if into is not None:
            exits, _ = _marks((inputs, kwargs))
            for each in into:
                if isinstance(each, LabeledArray):
                    each.exits |= exits
            return into[0] if len(into) == 1 else into
        return _marked(product, (inputs, kwargs), is_flat=ufunc.__name__ in _ROUNDING)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if any(
            hasattr(kind, "__array_wrap__") and not issubclass(kind, np.ndarray | np.generic)
            for kind in types
        ):
            return NotImplemented  # an argument is a tensor, which takes precedence
        product = func(*_plain(args), **_plain(kwargs))
        return _marked(product, (args, kwargs), is_flat=func.__name__ in _ROUNDING)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.memory is not None:
            self.exits |= self.memory.exits_of(value)
        super().__setitem__(key, value)

    def __getitem__(self, key: Any) -> Any:
        item = super().__getitem__(key)
        if self.memory is not None and isinstance(item, np.generic):
            return self.memory.mark(item, self.exits)
        return item

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def mean(self, *args: Any, **kwargs: Any) -> Any:
        return _marked(self.view(np.ndarray).mean(*args, **kwargs), self)

    def std(self, *args: Any, **kwargs: Any) -> Any:
        return _marked(self.view(np.ndarray).std(*args, **kwargs), self)

    def var(self, *args: Any, **kwargs: Any) -> Any:
        return _marked(self.view(np.ndarray).var(*args, **kwargs), self)

    def astype(self, *args: Any, **kwargs: Any) -> Any:
        return _marked(self.view(np.ndarray).astype(*args, **kwargs), self)

    def tolist(self) -> Any:
        items = super().tolist()
        return items if self.memory is None else self.memory.mark(items, self.exits)

    def item(self, *args: Any) -> Any:
        item = super().item(*args)
        return item if self.memory is None else self.memory.mark(item, self.exits)

    def __float__(self) -> float:
        number = float(self.view(np.ndarray))
        if self.memory is not None:
            self.memory.mark(number, self.exits)
        return number

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))

    def __reduce__(self) -> Any:
        return self.view(np.ndarray).__reduce__()


_ROUNDING = {"around", "ceil", "fix", "floor", "rint", "round", "sign", "trunc"}
_ARITHMETIC = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "radd", "rsub", "rmul", "rtruediv", "rfloordiv", "rmod", "rpow",
    "neg", "pos", "abs", "round",
)  # fmt: skip


def _labeled_kind(kind: Any) -> Any:
    """Return a class of scalars that behave like `kind` and store their exits."""

    def operator(name: str) -> Any:
        plain = getattr(kind, name)

        def run(self: Any, *others: Any) -> Any:
            product = plain(kind(self), *_plain(others))
            return product if product is NotImplemented else _marked(product, (self, others))

        return run

    def array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return _marked(getattr(ufunc, method)(*_plain(inputs), **_plain(kwargs)), (inputs, kwargs))

    def item(self: Any, *args: Any) -> Any:
        return _marked(kind(self).item(*args), self)

    names = {name: operator(f"__{name}__") for name in _ARITHMETIC if hasattr(kind, f"__{name}__")}
    body: dict[str, Any] = {f"__{name}__": run for name, run in names.items()}
    body |= {
        "exits": NONE,
        "memory": None,
        "item": item,
        "__float__": lambda self: _marked(kind.__float__(self), self),
        "__array_ufunc__": array_ufunc,
        "__array_function__": LabeledArray.__array_function__,
        "__reduce__": lambda self: kind(self).__reduce__(),
        "__doc__": f"A {kind.__name__} that remembers the exits it came through.",
    }
    return type(kind.__name__, (kind,), body)


_LABELLED = {
    kind: _labeled_kind(kind) for kind in (np.float16, np.float32, np.float64, np.complex64)
}


def _marked(product: Any, given: Any, is_flat: bool = False) -> Any:
    exits, memory = _marks(given)
    exits = flat(exits) if is_flat else exits
    return product if memory is None else memory.mark(product, exits)


def _plain(structure: Any) -> Any:
    """Return the same arguments with ordinary arrays and scalars."""
    if isinstance(structure, LabeledArray):
        return structure.view(np.ndarray)
    if isinstance(structure, np.generic) and hasattr(structure, "exits"):
        return structure.dtype.type(structure)
    if type(structure) in (tuple, list):
        return type(structure)(map(_plain, structure))
    if type(structure) is dict:
        return {key: _plain(each) for key, each in structure.items()}
    return structure


def _marks(structure: Any) -> tuple[Exits, MarkTable | None]:
    """Return all marks among the arguments of a call."""
    exits: set[int] = set()
    memory = None
    waiting, others = [structure], []
    while waiting:
        each = waiting.pop()
        if isinstance(each, LabeledArray) or hasattr(each, "exits"):
            memory = memory or each.memory
            exits |= each.exits
        elif isinstance(each, tuple | list):
            waiting.extend(each)
        elif isinstance(each, dict):
            waiting.extend(each.values())
        else:
            others.append(each)
    if memory is not None:
        for each in others:
            exits |= memory.exits_of(each)
    return frozenset(exits), memory
