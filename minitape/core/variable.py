"""A Variable is a mutable value. Tapes record reads of a variable, but not assignments to it.

A variable keeps one id, which is the id that a tape watches. An op reads a snapshot tensor, which has the id of the variable and
its values at that moment, so an old snapshot keeps its value when the variable changes.
"""

from collections.abc import Callable
from operator import attrgetter
from sys import getrefcount
from typing import Any, NamedTuple, NoReturn

import numpy as np

from minitape.core import dtypes, listeners
from minitape.core.choices import NamedChoice
from minitape.core.convert import convert_to_tensor
from minitape.core.dtypes import DType
from minitape.core.recorders import thread
from minitape.core.registry import PRIMITIVES, SYNTAX
from minitape.core.scattering import Scattering
from minitape.core.shapes import TensorShape
from minitape.core.tensor import Tensor, TensorLike, next_id, scalar_text, snapshot
from minitape.core.unsupported_arguments import refuse
from minitape.core.values import Array
from minitape.errors import (
    InvalidArgumentError,
    TapeRuntimeError,
    TapeTypeError,
    TapeValueError,
)


class VariableSynchronization(NamedChoice):
    """When copies of a variable on several devices are aggregated; minitape has one device."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(NamedChoice):
    """How assignments from several devices are aggregated; minitape has one device."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


class Variable(TensorLike, Scattering):
    """A mutable value that tapes watch automatically if it is `trainable`.

    Its shape and dtype never change; its value changes by `assign`, `assign_add`, `assign_sub` and the `scatter_` methods.

    Args:
        initial_value: A number, array, nested list or Tensor, or a function without arguments that returns one.
        trainable: Whether tapes watch it automatically; True by default.
        validate_shape: Ignored, like `caching_device`, `import_scope`, `synchronization`, `aggregation` and
            `experimental_enable_variable_lifting`: these apply only to graphs and several devices.
        name: The name, which is shown as `name:0` with the name scopes as prefix; "Variable" by default. Names need not be
            unique.
        variable_def: Not supported.
        dtype: The dtype; by default the dtype of the initial value (float32 for Python floats, int32 for ints).
        constraint: A function that an optimizer applies to the value after each step.
        shape: The shape of values that `assign` accepts; None for a size that may change. By default the shape of the initial
            value.

    Raises:
        ValueError: the initial value is missing or does not fit `shape`, or `constraint` is not callable.
        TypeError: `shape` is not a shape, or `variable_def` is given.

    Source: https://www.tensorflow.org/api_docs/python/tf/Variable
    """

    __slots__ = (
        "__weakref__",
        "_constraint",
        "_name",
        "_open_shape",
        "_path",
        "_tensor",
        "_trainable",
    )

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: Any = None,
        constraint: Any = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
        shape: Any = None,
        experimental_enable_variable_lifting: bool = True,
    ) -> None:
        refuse(
            "Variable",
            "minitape has no graph from which a variable could be imported.",
            variable_def=variable_def,
        )
        if initial_value is None:
            raise TapeValueError("A Variable needs an initial value.", fix="use `tf.Variable(0.0)`")
        if callable(initial_value):
            initial_value = initial_value()
        value = convert_to_tensor(initial_value, dtype=dtype, how="tf.Variable")
        self._tensor = snapshot(_own(value._array), next_id())
        self._trainable = True if trainable is None else bool(trainable)
        self._path = thread.scope + (name or "Variable")
        self._name = f"{self._path}:0"
        self._constraint = _function_or_none(constraint)
        self._open_shape = _checked_shape(shape, value)
        if listeners.active:
            listeners.emit(VariableMade(self, initial_value))

    # Read-only views of the snapshot. Every op reads them, so they are C functions.
    _array: Array = property(attrgetter("_tensor._array"))
    _id: int = property(attrgetter("_tensor._id"))  # type: ignore[assignment]

    @property
    def name(self) -> str:
        return self._name

    @property
    def path(self) -> str:
        return self._path

    @property
    def trainable(self) -> bool:
        return self._trainable

    constraint: Callable[[Any], Any] | None = property(attrgetter("_constraint"))  # type: ignore[assignment]

    @property
    def shape(self) -> TensorShape:
        return super().shape if self._open_shape is None else self._open_shape

    def get_shape(self) -> TensorShape:
        return self.shape

    def _operand(self) -> Any:
        """Return the operand for ops: the variable itself, or its value if its shape may change, because ops need the sizes."""
        self._show_to_tapes()
        return self if self._open_shape is None else self._tensor

    def _read(self) -> Tensor:
        """Return the snapshot with which an op computes."""
        self._show_to_tapes()
        return self._tensor

    def _show_to_tapes(self) -> None:
        if self._trainable:
            for tape in thread.active:
                if tape.watches_variables:
                    tape.see(self)

    def read_value(self) -> Tensor:
        """Return the value as a new tensor; a tape that is recording can differentiate it."""
        value: Tensor = PRIMITIVES["ReadVariableOp"](self)
        return value

    def value(self) -> Tensor:
        return self.read_value()

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Return True, because a variable always has a value."""
        return convert_to_tensor(True)

    def set_shape(self, shape: Any) -> None:
        """Check that the shape is `shape`.

        Raises:
            ValueError: it is different.
        """
        self.shape.merge_with(shape)

    def assign(
        self, value: Any, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> "Variable | None":
        """Store `value`. The tape does not record the assignment, so assigned values have no gradient.

        Args:
            value: The new value, with the variable's shape and dtype.
            use_locking: Ignored, like `name`.
            read_value: Whether to return the variable; if False, return None.

        Returns:
            The variable, or None.

        Raises:
            ValueError: the shape differs, or `value` is a tensor of a different dtype.
            TypeError: `value` cannot be converted to the variable's dtype.
        """
        stored = self._store("assign", value, None)
        return stored if read_value else None

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> "Variable | None":
        """Add `delta`, which has the variable's shape, to the stored value; tapes do not record the change.

        The parameters and errors are those of `assign`.
        """
        stored = self._store("assign_add", delta, np.add)
        return stored if read_value else None

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> "Variable | None":
        """Subtract `delta`, which has the variable's shape, from the stored value; tapes do not record the change.

        The parameters and errors are those of `assign`.
        """
        stored = self._store("assign_sub", delta, np.subtract)
        return stored if read_value else None

    def _store(self, how: str, given: Any, combine: Any) -> "Variable":
        array = self._value_to_store(how, given)
        self._show_to_tapes()  # an assignment counts as a use of the variable, as in TensorFlow
        if combine is None:
            self._tensor = snapshot(_own(array), self._id)
        elif self._is_alone():
            combine(self._array, array, out=self._array)
        else:
            self._tensor = snapshot(combine(self._array, array), self._id)
        if listeners.active:
            listeners.emit(Assigned(self, how, given))
        return AfterAssign(self)

    def _value_to_store(self, how: str, given: Any) -> Array:
        if given is None:
            raise TapeValueError(
                f"Attempt to convert a value (None) to a Tensor: {how} on {self.name} got None.",
                fix="check where the `None` comes from; for a gradient that is `None`, run `minitape explain SCRIPT`",
                code="MT601",
            )
        tensor = given
        if type(given) is not Tensor:
            tensor = convert_to_tensor(given, dtype_hint=self.dtype, how=f"Variable.{how}")
        array = tensor._array
        if array.dtype != self._array.dtype:
            # TensorFlow converts a value that is not a tensor, but only compares the dtype of a tensor.
            error = TapeValueError if isinstance(given, TensorLike) else TapeTypeError
            raise error(
                f"{how} on {self.name}: the variable has dtype {self.dtype.name}, but the value has dtype "
                f"{dtypes.of(array).name}.",
                fix=f"use `tf.cast(value, tf.{self.dtype.name})`",
                code="MT506",
            )
        grown = self._open_shape if how == "assign" else None
        if grown is not None and grown.is_compatible_with(array.shape):
            return array
        if array.shape != self._array.shape:
            # TensorFlow checks `assign` before the op runs; the op itself checks the others.
            kind = TapeValueError if how == "assign" else InvalidArgumentError
            raise kind(
                f"Cannot {how} value to variable '{self.name}': Shape mismatch. "
                f"The variable shape {self.shape}, and the value shape {tuple(array.shape)} are incompatible.",
                fix="pass a value with the shape of the variable; to repeat the value, use `tf.broadcast_to(value, v.shape)`",
            )
        return array

    def _store_part(self, key: Any, given: Any) -> "Variable":
        """Store `given` in the part of the value selected by a NumPy key."""
        array = self._array_to_change()
        part = convert_to_tensor(given, dtype_hint=self.dtype, how="Variable.assign")._array
        if part.dtype != array.dtype:
            raise InvalidArgumentError(
                f"'{self.name}' has dtype {self.dtype.name}, but the value has dtype {dtypes.of(part).name}.",
                fix=f"use `tf.cast(value, tf.{self.dtype.name})`",
                code="MT506",
            )
        try:
            array[key] = part
        except ValueError as error:
            raise InvalidArgumentError(
                f"Cannot assign to a part of '{self.name}': {error}",
                fix="pass a value with the shape of the assigned part",
                code="MT507",
            ) from None
        self._tensor = snapshot(array, self._id)
        if listeners.active:
            listeners.emit(Assigned(self, "assign", given, is_part=True))
        return AfterAssign(self)

    def _store_scattered(self, how: str, given: Any, change: Callable[[Array], None]) -> "Variable":
        """Change some elements in place, and send the event."""
        array = self._array_to_change()
        change(array)
        self._tensor = snapshot(array, self._id)
        if listeners.active:
            listeners.emit(Assigned(self, how, given))
        return AfterAssign(self)

    def _lower(self, change: Array) -> None:
        """Subtract the change that an optimizer computed, in the variable's own shape: in place if possible, otherwise by
        `assign`.
        """
        if listeners.active or not self._is_alone():
            self.assign((self._array - change).astype(self._array.dtype, copy=False))
        else:
            self._show_to_tapes()
            array = self._array
            np.subtract(array, change, out=array, casting="unsafe")

    def _array_to_change(self) -> Array:
        return self._array if self._is_alone() else self._array.copy()

    def _is_alone(self) -> bool:
        """Whether no other object uses the variable's array, so that it may be changed in place.

        A tensor, a tape or a view that still needs the current values holds a reference to the array, and references are counted.
        Subtracting 256 rows from a table of 200,000 takes fifty times as long if the table is copied.
        """
        return (
            type(self._tensor._array) is np.ndarray
            and getrefcount(self._tensor) == _ALONE
            and getrefcount(self._tensor._array) == _ALONE
        )

    def __getitem__(self, key: Any) -> Any:
        return SYNTAX["getitem_of_variable"](self, key)

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError(
            "'Variable' object does not support item assignment; write v[i].assign(value)"
        )

    def __iadd__(self, other: Any) -> NoReturn:
        raise _no_in_place("+=", "assign_add")

    def __isub__(self, other: Any) -> NoReturn:
        raise _no_in_place("-=", "assign_sub")

    def __repr__(self) -> str:
        shown = repr(self._array) if self._array.ndim else scalar_text(self._array, repr)
        shown = f"\n{shown}" if "\n" in shown else shown
        return (
            f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, numpy={shown}>"
        )

    def __format__(self, spec: str) -> str:
        return super().__format__(spec) if spec else str(self)

    def __copy__(self) -> "Variable":
        # as in TensorFlow: a copy of an object that holds a variable refers to the same variable
        return self

    def __deepcopy__(self, memo: Any) -> "Variable":
        copy = Variable(
            self._array,
            self._trainable,
            name=self._path,
            constraint=self._constraint,
            shape=self.shape,
        )
        copy._path, copy._name = self._path, self._name
        memo[id(self)] = copy
        return copy


def _function_or_none(constraint: Any) -> Callable[[Any], Any] | None:
    if constraint is not None and not callable(constraint):
        raise TapeValueError(
            f"Argument `constraint` must be None or a callable, but is {constraint!r}.",
            fix="pass `constraint=lambda x: tf.maximum(x, 0.0)`",
        )
    function: Callable[[Any], Any] | None = constraint
    return function


def _checked_shape(given: Any, value: Tensor) -> TensorShape | None:
    """Return a declared shape with unknown sizes; None if it is the shape of the value."""
    if given is None:
        return None
    shape = TensorShape(given)
    if not shape.is_compatible_with(value.shape):
        raise TapeValueError(
            f"The initial value's shape {value.shape} is not compatible with the explicitly supplied shape {shape}.",
            fix="remove `shape`, or write `None` for each size that may change",
            code="MT507",
        )
    return None if shape.is_fully_defined() else shape


class VariableMade(NamedTuple):
    variable: Variable
    initial: Any


class Assigned(NamedTuple):
    variable: Variable
    how: str
    given: Any
    is_part: bool = False  # for a slice: the other elements are unchanged


class _Probe:
    __slots__ = ("held",)

    def __init__(self) -> None:
        self.held = np.zeros(1)


def _reference_count_if_alone() -> int:
    """Return `getrefcount(x.held)` for an object that only this attribute holds; Python versions count differently."""
    probe = _Probe()
    return getrefcount(probe.held)


_ALONE = _reference_count_if_alone()


class AfterAssign(Variable):
    """The result of `assign`, which has the variable's value and can be assigned to, but which tapes do not watch automatically.

    So, as in TensorFlow, the gradient is None after `v = v.assign(...)` outside the tape. Inside the tape's block, the tape
    starts to watch the variable when it is assigned, so values computed from the result depend on the variable.
    """

    __slots__ = ("_identity", "_origin")

    def __init__(self, origin: Variable) -> None:
        self._origin = origin
        self._identity = next_id()
        self._trainable = origin.trainable
        self._constraint = origin.constraint
        self._open_shape = origin._open_shape
        self._path = "UnreadVariable"
        self._name = "UnreadVariable:0"

    @property
    def _tensor(self) -> Tensor:  # type: ignore[override]  # computed from the values of the origin
        return snapshot(self._origin._array, self._identity)

    def _read(self) -> Tensor:
        watched = any(self._origin._id in tape.watched for tape in thread.active)
        return self._origin._tensor if watched else self._tensor

    def _store(self, how: str, given: Any, combine: Any) -> Variable:
        return self._origin._store(how, given, combine)

    def _store_part(self, key: Any, given: Any) -> Variable:
        return self._origin._store_part(key, given)

    def _store_scattered(self, how: str, given: Any, change: Callable[[Array], None]) -> Variable:
        return self._origin._store_scattered(how, given, change)


def _own(array: Array) -> Array:
    """Return a copy of an array, which no other object can change; return a NumPy scalar unchanged."""
    return array.copy() if isinstance(array, np.ndarray) else array


def _no_in_place(operator: str, method: str) -> TapeRuntimeError:
    return TapeRuntimeError(
        f"`variable {operator} value` is not supported, because the name would then refer to a tensor instead of the "
        "variable.",
        fix=f"use `variable.{method}(value)` to change the variable, or `variable = variable {operator[0]} value` for a tensor",
        code="MT301",
    )


__all__ = ["DType", "Variable", "snapshot"]
