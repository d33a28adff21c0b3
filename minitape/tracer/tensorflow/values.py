"""Identifies TensorFlow's values: tensors, variables, and objects that hold a tensor as their values."""

from __future__ import annotations

import weakref
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from minitape.tracer.accumulation import SparseRows
from minitape.tracer.tensorflow.internals import Privates

_RESOURCE, _VARIANT, _TEXT, _WHOLE, _SMOOTH = "resource", "variant", "string", "whole", "smooth"
_INSIDE = (_RESOURCE, _VARIANT)


class TensorFlowValues:
    """TensorFlow's values, keyed by their numbers.

    A tensor has its own number; a variable has the number of its handle, which tapes watch.
    """

    def __init__(self, tf: Privates) -> None:
        self._tf = tf
        self.tensor = tf.ops.EagerTensor
        self._base = tf.resources.BaseResourceVariable
        self._unread = tf.resources._UnreadVariable
        self._variables: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        # Variables of which only a stand-in object is left. An entry exists as long as the variable's handle.
        self._remains: dict[int, tuple[str, bool, Any]] = {}
        # The result of `assign` shares the handle of the variable, but tapes do not watch it automatically.
        self._stand_ins: dict[int, tuple[Any, int]] = {}
        self._next_stand_in = count(1).__next__
        self._kinds: dict[int, str] = {}
        self._names: dict[Any, str] = {}

    # --- the kind of a value ---

    def is_value(self, thing: Any) -> bool:
        return (
            isinstance(thing, self.tensor)
            or self.is_variable(thing)
            or self.held(thing) is not None
        )

    def is_variable(self, thing: Any) -> bool:
        kind = type(thing)
        known = _IS_VARIABLE.get(kind)
        if known is None:
            known = isinstance(thing, self._base | Remains) or (
                getattr(kind, "_should_act_as_resource_variable", False) and hasattr(kind, "handle")
            )
            _IS_VARIABLE[kind] = known
        return known and self._handle(thing) is not None

    def held(self, thing: Any) -> Any:
        """Return the tensor with the values of slices, of a sparse or of a ragged tensor; None for other objects."""
        kind = type(thing)
        name = _HOLDERS.get(kind.__name__)
        if name is None or not kind.__module__.startswith("tensorflow."):
            return None
        inner = getattr(thing, name)
        return inner if isinstance(inner, self.tensor) else self.held(inner)

    def is_resource(self, tensor: Any) -> bool:
        return self._kind(tensor) == _RESOURCE

    def is_stand_in(self, variable: Any) -> bool:
        """Whether this is the result of `assign`: it has a variable's value, but tapes do not watch it automatically."""
        return isinstance(variable, self._unread)

    def is_inside(self, thing: Any) -> bool:
        """Whether this is an internal object of TensorFlow: an iterator, a table, or a list of tensors."""
        return isinstance(thing, self.tensor) and self._kind(thing) in _INSIDE

    def is_text(self, tensor: Any) -> bool:
        return self._kind(tensor) == _TEXT

    def is_whole(self, value: Any) -> bool:
        kind = self._kind(self._inner(value))
        return kind in (_WHOLE, _TEXT)

    def _kind(self, value: Any) -> str:
        """Return the kind of its elements, from the number of its dtype; reading the dtype itself takes ten times as long."""
        if isinstance(value, self.tensor):
            enum = value._datatype_enum()
        else:
            enum = self._tf.public.as_dtype(value.dtype).as_datatype_enum
        kind = self._kinds.get(enum)
        if kind is None:
            kind = self._kinds[enum] = _kind_of(self._tf.public.as_dtype(enum))
        return kind

    # --- the number of a value ---

    def id_of(self, value: Any) -> int:
        if isinstance(value, self.tensor):
            return number(value)
        if isinstance(value, self._unread):
            return self._id_of_stand_in(value)
        handle = self._handle(value)
        if handle is not None:
            return number(handle)
        held = self.held(value)
        if held is None:
            raise TypeError(f"{type(value).__name__} is not a TensorFlow value")
        return self.id_of(held)

    def _id_of_stand_in(self, value: Any) -> int:
        known = self._stand_ins.get(id(value))
        if known is None:
            key = id(value)
            known = (
                weakref.ref(value, lambda _: self._stand_ins.pop(key, None)),
                -self._next_stand_in(),
            )
            self._stand_ins[key] = known
        return known[1]

    def watched_id_of(self, value: Any) -> int:
        """Return the number under which tapes watch a value; a stand-in is watched as its variable."""
        handle = None if isinstance(value, self.tensor) else self._handle(value)
        return self.id_of(value) if handle is None else number(handle)

    def _handle(self, value: Any) -> Any:
        try:
            handle = value.handle
        except Exception:  # a variable of a distribution strategy outside its replicas, or a variable that is not built yet
            return None
        return handle if isinstance(handle, self.tensor) else None

    # --- the elements of a value ---

    def _inner(self, value: Any) -> Any:
        held = self.held(value)
        return value if held is None else held

    def rows_of(self, amount: Any) -> SparseRows | None:
        """Return the IndexedSlices among the values of a backward pass; None for other objects."""
        if type(amount).__name__ != "IndexedSlices" or self.held(amount) is None:
            return None
        shape = amount.dense_shape
        return SparseRows(
            self.numbers_of(amount.values),
            self.numbers_of(amount.indices),
            None if shape is None else tuple(self.numbers_of(shape).tolist()),
        )

    def numbers_of(self, value: Any) -> Any:
        if isinstance(value, self.tensor):
            kind = self._kind(value)
            if kind in _INSIDE:
                return np.array(kind, dtype=object)
            numbers = value._numpy_internal()
            return np.array(numbers, dtype=object) if type(numbers) is bytes else numbers
        if self.is_variable(value):
            return self.read(value)._numpy_internal()
        held = self.held(value)
        return value if held is None else self.numbers_of(held)

    def read(self, variable: Any) -> Any:
        """Return the current value of a variable, read without a tape or the tracer noticing."""
        handle = self._handle(variable)
        dtype = self._tf.public.as_dtype(variable.dtype).as_datatype_enum
        context = self._tf.context.context()
        (value,) = self._tf.tfe.TFE_Py_Execute(
            context._handle, handle.device, "ReadVariableOp", [handle], ("dtype", dtype), 1
        )
        return value

    def put(self, value: Any, numbers: Any) -> None:
        """Replace the values, without a tape or the tracer noticing."""
        if isinstance(value, self.tensor):
            # Tensors with the same value may share their memory, so this tensor gets its own memory.
            value.__init__(numbers, value.device, value.dtype.as_datatype_enum)
            return
        handle = self._handle(value)
        dtype = self._tf.public.as_dtype(value.dtype).as_datatype_enum
        tensor = self.tensor(numbers, handle.device, dtype)
        context = self._tf.context.context()
        attributes = ("dtype", dtype, "validate_shape", False)
        self._tf.tfe.TFE_Py_Execute(
            context._handle, handle.device, "AssignVariableOp", [handle, tensor], attributes, 0
        )

    def dtype_of(self, numbers: Any) -> str:
        if numbers.dtype == object and numbers.ndim == 0 and numbers[()] in _INSIDE:
            return str(numbers[()])
        name = self._names.get(numbers.dtype)
        if name is None:
            is_text = numbers.dtype.kind in "OSU"
            name = self._names[numbers.dtype] = "string" if is_text else str(numbers.dtype)
        return name

    # --- variables ---

    def remember(self, variable: Any) -> None:
        """Register a variable by its handle."""
        if isinstance(variable, self._unread | Remains):
            return
        known_as = self.watched_id_of(variable)
        self._variables[known_as] = variable
        if known_as not in self._remains:
            facts = self.path_of(variable), self.is_trainable(variable), variable.dtype
            self._remains[known_as] = facts
            weakref.finalize(self._handle(variable), self._remains.pop, known_as, None)

    def variable_of(self, handle: Any) -> Any:
        """Return the variable of a handle; None for another resource, or for a variable created before tracing started."""
        variable = self._variables.get(number(handle))
        if variable is None and number(handle) in self._remains:
            return Remains(handle, *self._remains[number(handle)])
        return variable

    def path_of(self, variable: Any) -> str:
        path = getattr(variable, "path", None)
        if path is None:
            path = variable.name or "Variable"
        return str(path).rsplit(":", 1)[0]

    def is_trainable(self, variable: Any) -> bool:
        return bool(getattr(variable, "trainable", False))

    def origin_of(self, variable: Any) -> Any:
        return self.variable_of(variable.handle) if isinstance(variable, self._unread) else None


def number(tensor: Any) -> int:
    """Return the number of a tensor. TensorFlow counts from 0, but here 0 means that there is no number."""
    return int(tensor._id) + 1


def _kind_of(dtype: Any) -> str:
    if dtype.name in (_RESOURCE, _VARIANT, _TEXT):
        return str(dtype.name)
    return _SMOOTH if dtype.is_floating or dtype.is_complex else _WHOLE


class Remains(NamedTuple):
    """A variable whose Python object was freed, but not its handle."""

    handle: Any
    path: str
    trainable: bool
    dtype: Any


_IS_VARIABLE: dict[type, bool] = {}
_HOLDERS = {
    "IndexedSlices": "values",
    "SparseTensor": "values",
    "RaggedTensor": "flat_values",
    "WeakTensor": "tensor",
}
