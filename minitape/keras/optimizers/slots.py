"""Slots: what an optimizer remembers about one variable, such as its velocity."""

from typing import Any

import numpy as np

from minitape.core.tensor import next_id, snapshot
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.errors import TapeAttributeError, TapeValueError
from minitape.keras import config, initializers


class Slot(Variable):
    """A variable of the optimizer's own. No listener hears of it: it is no part of what the program differentiates."""

    __slots__ = ()

    def __init__(self, value: Array, path: str) -> None:
        self._tensor = snapshot(value, next_id())
        self._trainable = False
        self._constraint = self._open_shape = None
        self._path = path
        self._name = f"{path}:0"

    @property
    def numbers(self) -> Array:
        return self._array

    @numbers.setter
    def numbers(self, array: Array) -> None:
        self._tensor = snapshot(array, self._id)

    def move(self, new: Array, share: Any) -> Array:
        """Go a share of the way towards new numbers; where it is, if nobody can see it."""
        change = (new - self._array) * share
        if self._is_alone():
            array = self._array
            np.add(array, change, out=array, casting="unsafe")
        else:
            self.numbers = self._array + change
        return self._array


Slots = dict[str, Slot]


def _in_one_word(variable: Variable) -> str:
    """A weight's path, or the name of a plain variable."""
    name = variable.name if ":" in variable.name else variable.path
    return name.replace("/", "_").replace(":", "_")


class Remembering:
    """Slots for the variables that it was built with, each under the variable's id and its own name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.built = False
        self._trained: list[Variable] = []
        self._slots: dict[int, Slots] = {}
        self._own_variables: list[Slot] = []

    def _begin(self, variables: list[Any]) -> None:
        for variable in variables:
            if not isinstance(variable, Variable):
                raise TapeAttributeError(
                    f"An optimizer changes variables, and was given a {type(variable).__name__}.",
                    fix="pairs of gradient and variable, in this order: zip(gradients, variables)",
                )
        self._trained = variables
        self._slots = {variable._id: {} for variable in variables}

    def _make_slots(self, first: dict[str, float]) -> None:
        """A slot for each variable and name, full of one number."""
        for variable in self._trained:
            for name, number in first.items():
                path = f"{self.name}/{_in_one_word(variable)}_{name}"
                slot = Slot(np.full_like(variable._array, number), path)
                self._slots[variable._id][name] = slot
                self._own_variables.append(slot)

    def add_variable(
        self,
        shape: Any,
        initializer: Any = "zeros",
        dtype: Any = None,
        aggregation: str = "none",
        layout: Any = None,
        name: str | None = None,
    ) -> Variable:
        """Something more to remember, among the optimizer's `variables`.

        Args:
            shape: Its shape.
            initializer: Its first value.
            dtype: `floatx` by default.
            aggregation: Only "none": there is one device.
            layout: Only None, for the same reason.
            name: Its own name; that of the optimizer is put before it.
        """
        if aggregation not in ("none", "mean", "sum", "only_first_replica") or layout is not None:
            raise TapeValueError(
                f"There is one device: no layout, and no aggregation called {aggregation!r}."
            )
        value = initializers.get(initializer)(shape, dtype=config.float_dtype(dtype))
        self._own_variables.append(Slot(value._array, f"{self.name}/{name or 'variable'}"))
        return self._own_variables[-1]

    def add_variable_from_reference(
        self, reference_variable: Any, name: str | None = None, initializer: Any = "zeros"
    ) -> Variable:
        """A slot: shape and dtype of `reference_variable`."""
        like = reference_variable
        path = f"{_in_one_word(like)}_{name or 'var'}"
        return self.add_variable(like.shape, initializer, like.dtype, name=path)

    def add_optimizer_variables(
        self, trainable_variables: Any, name: Any, initializer: Any = "zeros"
    ) -> Any:
        """Slots for many variables: a list for one name, a tuple of lists for several."""
        many = [name] if isinstance(name, str) else list(name)
        firsts = list(initializer) if isinstance(initializer, list | tuple) else None
        kinds = [initializer] * len(many) if firsts is None else firsts
        found: tuple[list[Variable], ...] = tuple([] for _ in many)
        for variable in trainable_variables:
            for slots, each, kind in zip(found, many, kinds, strict=True):
                slots.append(self.add_variable_from_reference(variable, each, kind))
        return found[0] if isinstance(name, str) else found
