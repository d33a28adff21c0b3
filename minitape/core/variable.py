"""Variable: a place for a value that changes. Reading one is seen by the tapes; assigning is not on any tape.

A variable keeps one id for life: that id is what a tape watches. What an op reads is a snapshot tensor that carries the
variable's id and the numbers of that moment, so the old value stays what it was when the variable is assigned anew.
"""

from collections.abc import Callable
from sys import getrefcount
from typing import Any, NamedTuple, NoReturn

import numpy as np

from minitape.core import dtypes, listeners
from minitape.core.convert import convert_to_tensor
from minitape.core.dtypes import DType
from minitape.core.recorders import thread
from minitape.core.registry import PRIMITIVES, SYNTAX
from minitape.core.scattering import Scattering
from minitape.core.tensor import ArrayFace, Tensor, next_id, snapshot
from minitape.core.values import Array
from minitape.errors import InvalidArgumentError, TapeRuntimeError, TapeValueError


class Variable(ArrayFace, Scattering):
    """State that a tape watches by itself when `trainable`.

    Its shape and dtype never change; its numbers change by `assign`, `assign_add`, `assign_sub` and the `scatter_` methods.

    Args:
        initial_value: A number, array, nested list or Tensor, or a function without arguments that returns one.
        trainable: Whether a tape watches it without being told.
        name: Shown as `name:0`; "Variable" if not given. Names need not differ.
        dtype: To convert to; by default that of the initial value (float32 for Python floats, int32 for ints).

    Raises:
        ValueError: no initial value.

    Source: https://www.tensorflow.org/api_docs/python/tf/Variable
    """

    __slots__ = ("__weakref__", "_name", "_path", "_tensor", "_trainable")

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
        shape: Any = None,
    ) -> None:
        if initial_value is None:
            raise TapeValueError("A Variable needs an initial value.", fix="tf.Variable(0.0)")
        if callable(initial_value):
            initial_value = initial_value()
        value = convert_to_tensor(initial_value, dtype=dtype, how="tf.Variable")
        self._tensor = snapshot(_own(value._array), next_id())
        self._trainable = True if trainable is None else bool(trainable)
        self._path = name or "Variable"
        self._name = f"{self._path}:0"
        if listeners.active:
            listeners.tell(VariableMade(self, initial_value))

    @property
    def _array(self) -> Array:  # read-only here: the numbers live in the snapshot
        return self._tensor._array

    @property
    def _id(self) -> int:
        return self._tensor._id

    @property
    def name(self) -> str:
        return self._name

    @property
    def path(self) -> str:
        return self._path

    @property
    def trainable(self) -> bool:
        return self._trainable

    def _read(self) -> Tensor:
        """The snapshot that an op computes with."""
        self._show_to_tapes()
        return self._tensor

    def _show_to_tapes(self) -> None:
        if self._trainable:
            for tape in thread.active:
                if tape.watches_variables:
                    tape.see(self)

    def read_value(self) -> Tensor:
        """The value as a tensor of its own: differentiable if a tape is recording now."""
        value: Tensor = PRIMITIVES["ReadVariableOp"](self)
        return value

    def value(self) -> Tensor:
        return self.read_value()

    def is_initialized(self, name: str | None = None) -> Tensor:
        """True: a variable has a value from the start."""
        return convert_to_tensor(True)

    def set_shape(self, shape: Any) -> None:
        """Check that the shape is `shape`.

        Raises:
            ValueError: it is not.
        """
        self.shape.merge_with(shape)

    def assign(
        self, value: Any, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> "Variable":
        """Store `value`. The tape does not follow it: what was assigned has no gradient.

        Raises:
            ValueError: the shape differs, or `value` is a tensor of another dtype.
        """
        return self._store("assign", value, None)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> "Variable":
        """Add `delta` to the stored value, in the same shape; not on any tape."""
        return self._store("assign_add", delta, np.add)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> "Variable":
        """Subtract `delta` from the stored value, in the same shape; not on any tape."""
        return self._store("assign_sub", delta, np.subtract)

    def _store(self, how: str, given: Any, combine: Any) -> "Variable":
        array = self._value_to_store(how, given)
        self._show_to_tapes()  # assigning counts as using it, as in TensorFlow
        if combine is None:
            self._tensor = snapshot(_own(array), self._id)
        elif self._is_alone():
            combine(self._array, array, out=self._array)
        else:
            self._tensor = snapshot(combine(self._array, array), self._id)
        if listeners.active:
            listeners.tell(Assigned(self, how, given))
        return AfterAssign(self)

    def _value_to_store(self, how: str, given: Any) -> Array:
        if given is None:
            raise TapeValueError(
                f"Attempt to convert a value (None) to a Tensor: {how} on {self.name} was given None.",
                fix="look at where the None came from; a None gradient is explained by: minitape explain",
                code="MT601",
            )
        array = convert_to_tensor(given, dtype_hint=self.dtype, how=f"Variable.{how}")._array
        if array.dtype != self._array.dtype:
            raise TapeValueError(
                f"{how} on {self.name}: the variable is {self.dtype.name}, the value {dtypes.of(array).name}.",
                fix=f"tf.cast(value, tf.{self.dtype.name})",
                code="MT506",
            )
        if array.shape != self._array.shape:
            # TensorFlow checks the one before the op runs, and leaves the others to it.
            error = TapeValueError if how == "assign" else InvalidArgumentError
            raise error(
                f"Cannot {how} value to variable '{self.name}': Shape mismatch. "
                f"The variable shape {self.shape}, and the value shape {tuple(array.shape)} are incompatible.",
                fix="give a value of the variable's own shape; tf.broadcast_to(value, v.shape) if it should repeat",
            )
        return array

    def _store_part(self, key: Any, given: Any) -> "Variable":
        """Store `given` in the part of the value that a NumPy key names."""
        array = self._array_to_change()
        part = convert_to_tensor(given, dtype_hint=self.dtype, how="Variable.assign")._array
        if part.dtype != array.dtype:
            raise InvalidArgumentError(
                f"A part of '{self.name}' is {self.dtype.name}, the value {dtypes.of(part).name}.",
                fix=f"tf.cast(value, tf.{self.dtype.name})",
                code="MT506",
            )
        try:
            array[key] = part
        except ValueError as error:
            raise InvalidArgumentError(
                f"Cannot assign to a part of '{self.name}': {error}",
                fix="give a value of the shape of that part",
                code="MT507",
            ) from None
        self._tensor = snapshot(array, self._id)
        if listeners.active:
            listeners.tell(Assigned(self, "assign", given))
        return AfterAssign(self)

    def _store_scattered(self, how: str, given: Any, change: Callable[[Array], None]) -> "Variable":
        """Change some elements where they are, and say so."""
        array = self._array_to_change()
        change(array)
        self._tensor = snapshot(array, self._id)
        if listeners.active:
            listeners.tell(Assigned(self, how, given))
        return AfterAssign(self)

    def _array_to_change(self) -> Array:
        return self._array if self._is_alone() else self._array.copy()

    def _is_alone(self) -> bool:
        """Whether nobody but this variable can see its numbers, so that they may change where they are.

        A tensor, a tape, a view: whoever still needs the numbers of now holds a reference to them, and references are
        counted. To subtract 256 rows from a table of 200 000 took fifty times as long when the table was copied for it.
        """
        return (
            getrefcount(self._tensor) == _ALONE
            and getrefcount(self._tensor._array) == _ALONE
            and isinstance(self._tensor._array, np.ndarray)
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
        shown = repr(self._array) if self._array.ndim else str(self._array[()])
        shown = f"\n{shown}" if "\n" in shown else shown
        return (
            f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, numpy={shown}>"
        )

    def __format__(self, spec: str) -> str:
        return super().__format__(spec) if spec else str(self)

    def __deepcopy__(self, memo: Any) -> "Variable":
        copy = Variable(self._array, self._trainable, name=self._path)
        memo[id(self)] = copy
        return copy


class VariableMade(NamedTuple):
    variable: Variable
    initial: Any


class Assigned(NamedTuple):
    variable: Variable
    how: str
    given: Any


class _Probe:
    __slots__ = ("held",)

    def __init__(self) -> None:
        self.held = np.zeros(1)


def _references_to_what_only_an_attribute_holds() -> int:
    """What `getrefcount(x.held)` says if nothing else holds it; Pythons differ in what they count on the way."""
    probe = _Probe()
    return getrefcount(probe.held)


_ALONE = _references_to_what_only_an_attribute_holds()


class AfterAssign(Variable):
    """What `assign` returns: it shows the variable's value and can be assigned to, but no tape watches it by itself.

    So `v = v.assign(...)` before a tape loses the gradient, in TensorFlow too. Inside a tape the assignment has shown the
    variable to it, and what is computed from the result is computed from the variable.
    """

    __slots__ = ("_identity", "_origin")

    def __init__(self, origin: Variable) -> None:
        self._origin = origin
        self._identity = next_id()
        self._trainable = origin.trainable
        self._path = "UnreadVariable"
        self._name = "UnreadVariable:0"

    @property
    def _tensor(self) -> Tensor:  # type: ignore[override]  # computed here: the numbers are the origin's
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
    """Numbers that nobody else can change."""
    return array.copy() if isinstance(array, np.ndarray) else array


def _no_in_place(operator: str, method: str) -> TapeRuntimeError:
    return TapeRuntimeError(
        f"Variable {operator} value not supported: Python would put a tensor under the variable's name.",
        fix=f"variable.{method}(value) to change the variable, variable = variable {operator[0]} value for a tensor",
        code="MT301",
    )


__all__ = ["DType", "Variable", "snapshot"]
