"""Slots, which store the state that an optimizer keeps for a variable, such as its velocity."""

from typing import Any

import numpy as np

from minitape.core.tensor import next_id, snapshot
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.errors import TapeAttributeError, TapeValueError
from minitape.keras import config, initializers


class Slot(Variable):
    """A variable of the optimizer. The tracer does not record it, because the program does not differentiate it."""

    __slots__ = ()

    def __init__(self, value: Array, path: str) -> None:
        self._tensor = snapshot(value, next_id())
        self._trainable = False
        self._constraint = self._open_shape = None
        self._path = path
        self._name = f"{path}:0"

    @property
    def numbers(self) -> Array:
        """Return the value of the slot as an array."""
        return self._array

    @numbers.setter
    def numbers(self, array: Array) -> None:
        self._tensor = snapshot(array, self._id)

    def move(self, new: Array, fraction: Any) -> Array:
        """Move toward new values by a fraction of the difference, in place if nothing else references the array.

        Args:
            new: The new values.
            fraction: The fraction.

        Returns:
            The updated array.
        """
        change = (new - self._array) * fraction
        if self._is_alone():
            array = self._array
            np.add(array, change, out=array, casting="unsafe")
        else:
            self.numbers = self._array + change
        return self._array


Slots = dict[str, Slot]


def _path_without_separators(variable: Variable) -> str:
    """Return the path of a weight, or the name of a plain variable, without separators."""
    name = variable.name if ":" in variable.name else variable.path
    return name.replace("/", "_").replace(":", "_")


class SlotOwner:
    """Base class of `Optimizer` that keeps the slots, identified by the ID of the variable and the name of the slot."""

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
                    f"An optimizer updates variables, but this one received a {type(variable).__name__}.",
                    fix="pass (gradient, variable) pairs in that order: `zip(gradients, variables)`",
                )
        self._trained = variables
        self._slots = {variable._id: {} for variable in variables}

    def _make_slots(self, first: dict[str, float]) -> None:
        """Create a slot for each variable and name, filled with its initial value."""
        for variable in self._trained:
            for name, number in first.items():
                path = f"{self.name}/{_path_without_separators(variable)}_{name}"
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
        """Create a state variable, which is added to the optimizer's `variables`.

        Args:
            shape: Shape of the variable.
            initializer: Initializer or its name.
            dtype: Dtype of the variable; `floatx` by default.
            aggregation: Ignored, because there is only one device.
            layout: Must be None, because there is only one device.
            name: Name of the variable; its path is the optimizer's name followed by this name.

        Returns:
            The new variable.

        Raises:
            ValueError: `aggregation` is unknown, or `layout` is not None.
        """
        if aggregation not in ("none", "mean", "sum", "only_first_replica") or layout is not None:
            raise TapeValueError(
                f"Only one device is supported. Received: layout={layout!r}, aggregation={aggregation!r}"
            )
        value = initializers.get(initializer)(shape, dtype=config.float_dtype(dtype))
        self._own_variables.append(Slot(value._array, f"{self.name}/{name or 'variable'}"))
        return self._own_variables[-1]

    def add_variable_from_reference(
        self, reference_variable: Any, name: str | None = None, initializer: Any = "zeros"
    ) -> Variable:
        """Create a slot with the shape and dtype of `reference_variable`.

        Args:
            reference_variable: The variable that the slot belongs to.
            name: Name of the slot.
            initializer: Initializer or its name.

        Returns:
            The new variable.
        """
        like = reference_variable
        path = f"{_path_without_separators(like)}_{name or 'var'}"
        return self.add_variable(like.shape, initializer, like.dtype, name=path)

    def add_optimizer_variables(
        self, trainable_variables: Any, name: Any, initializer: Any = "zeros"
    ) -> Any:
        """Create slots for many variables.

        Args:
            trainable_variables: The variables.
            name: Name of the slot, or a list of names.
            initializer: Initializer or its name, or a list with one for each name.

        Returns:
            A list of slots for one name; a tuple of lists for several.
        """
        many = [name] if isinstance(name, str) else list(name)
        firsts = list(initializer) if isinstance(initializer, list | tuple) else None
        kinds = [initializer] * len(many) if firsts is None else firsts
        found: tuple[list[Variable], ...] = tuple([] for _ in many)
        for variable in trainable_variables:
            for slots, each, kind in zip(found, many, kinds, strict=True):
                slots.append(self.add_variable_from_reference(variable, each, kind))
        return found[0] if isinstance(name, str) else found
