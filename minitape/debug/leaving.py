"""Values that left the engine, and how to know them again when they come back.

A tape cannot follow NumPy and Python, but a listener can: what leaves is marked with the number of its exit, and the mark is
carried on.

    an ndarray      leaves as a LabelledArray, equal in every number, whose mark goes through NumPy's functions and operators
    a scalar        is remembered as the object it is; when that very object comes back, it is known
    a list or dict  is known by what is in it

Small ints and booleans are shared by the whole program, so they carry no mark.
"""

from collections import OrderedDict
from typing import Any

import numpy as np

Exits = frozenset[int]
NONE: Exits = frozenset()
_KEPT_OBJECTS = 100_000
_LOOKED_INTO = 10_000


class Memory:
    """Which objects left through which exits."""

    def __init__(self) -> None:
        # The objects themselves are kept, so that no other object can get the id of one.
        self._objects: OrderedDict[int, tuple[Any, Exits]] = OrderedDict()

    def mark(self, product: Any, exits: Exits) -> Any:
        """`product` with a mark: itself, or an equal twin that carries one."""
        if isinstance(product, np.ndarray):
            twin = product.view(LabelledArray)
            twin.exits = exits | self.exits_of(product)
            twin.memory = self
            return twin
        if isinstance(product, tuple | list) and type(product) in (tuple, list):
            return type(product)(self.mark(each, exits) for each in product)
        if isinstance(product, float | complex | str | bytes | np.generic) and not isinstance(
            product, np.bool_
        ):
            self._objects[id(product)] = (product, exits | self.exits_of(product))
            if len(self._objects) > _KEPT_OBJECTS:
                self._objects.popitem(last=False)
        return product

    def exits_of(self, value: Any) -> Exits:
        """The exits through which `value`, or anything in it, left."""
        if isinstance(value, np.ndarray):
            array: Any = value
            while array is not None:
                if isinstance(array, LabelledArray) and array.exits:
                    return array.exits
                array = getattr(array, "base", None)
            return NONE
        if isinstance(value, list | tuple | dict):
            return self._exits_inside(value)
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


class LabelledArray(np.ndarray[Any, Any]):
    """An ndarray that remembers the exits its numbers came through. To the program it is an ndarray."""

    exits: Exits
    memory: Memory | None

    def __array_finalize__(self, parent: Any) -> None:
        self.exits = getattr(parent, "exits", NONE)
        self.memory = getattr(parent, "memory", None)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        exits, memory = _marks((inputs, kwargs))
        product = getattr(ufunc, method)(*_plain(inputs), **_plain(kwargs))
        into = kwargs.get("out")
        if into is not None:
            for each in into:
                if isinstance(each, LabelledArray):
                    each.exits |= exits
            return into[0] if len(into) == 1 else into
        return product if memory is None else memory.mark(product, exits)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if any(hasattr(kind, "__array_wrap__") and not issubclass(kind, np.ndarray) for kind in types):
            return NotImplemented  # a tensor is among the arguments: it goes first
        exits, memory = _marks((args, kwargs))
        product = func(*_plain(args), **_plain(kwargs))
        return product if memory is None else memory.mark(product, exits)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.memory is not None:
            self.exits |= self.memory.exits_of(value)
        super().__setitem__(key, value)

    def __getitem__(self, key: Any) -> Any:
        item = super().__getitem__(key)
        if self.memory is not None and isinstance(item, np.generic):
            self.memory.mark(item, self.exits)
        return item

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


def _plain(structure: Any) -> Any:
    """The same arguments with ordinary arrays."""
    if isinstance(structure, LabelledArray):
        return structure.view(np.ndarray)
    if type(structure) in (tuple, list):
        return type(structure)(map(_plain, structure))
    if type(structure) is dict:
        return {key: _plain(each) for key, each in structure.items()}
    return structure


def _marks(structure: Any) -> tuple[Exits, Memory | None]:
    """All marks among the arguments of a call."""
    exits: set[int] = set()
    memory = None
    waiting = [structure]
    while waiting:
        each = waiting.pop()
        if isinstance(each, LabelledArray):
            memory = memory or each.memory
            exits |= each.exits
        elif isinstance(each, tuple | list):
            waiting.extend(each)
        elif isinstance(each, dict):
            waiting.extend(each.values())
        elif memory is not None:
            exits |= memory.exits_of(each)
    return frozenset(exits), memory
