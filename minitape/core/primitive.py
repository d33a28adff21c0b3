"""A Primitive is a declared op (declaration.py) that can run. All ops run in this module.

Every computation of a program passes through `Primitive.__call__`, which accepts Arrays, Tensors and Batched values. It converts
the inputs, runs the kernel, wraps the result, lets the tapes record the op, and sends an event to the listeners.

This is the most frequently run code of the package. For small values the bookkeeping takes much longer than the computation in
NumPy: multiplying two scalars takes NumPy 0.04 µs, and an op of minitape 0.4 to 1.2 µs. So there are three code paths, from the
special to the general. All times are in µs per op on scalars without a tape, measured with the same script on one machine:

                                  `x * x`   `x * 2.0`   what it handles
    1. `of_two`                      0.45        0.77   Python's operators: a Tensor, and a Tensor, Variable or number
    2. the loop of `__call__`        0.72        1.13   Tensors, Arrays, Variables, and numbers after a Tensor
    3. `_prepared`                   1.18        1.60   everything: lists, strings, numbers before a Tensor, Batched

Each path calls the next one as soon as it finds a value that it does not handle. All paths must compute the same result; the
tests of the ops run all of them.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from minitape.core import bfloat16, convert, listeners  # noqa: F401  # imported so that its name is registered
from minitape.core.batched import Batched, one_by_one
from minitape.core.declaration import DIFFERENTIABLE_KINDS, NO_READS, READS_OUTPUT, Declaration
from minitape.core.frames import report_loop
from minitape.core.freed_memory import keep_freed_memory
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.mismatch import dtype_mismatch, shape_mismatch, wrong_kind
from minitape.core.recorders import NO_ID, Record, Recorder, thread
from minitape.core.sequences import as_object_array
from minitape.core.tensor import Tensor, TensorLike
from minitape.core.values import ARRAY_TYPES, Array, Ints, ShapeDtype, Value, shape_dtype_of
from minitape.errors import InvalidArgumentError

keep_freed_memory()


class Primitive(Declaration):
    """An op of the catalog that can be called on Arrays, Tensors or Batched values."""

    def __call__(self, *values: Any, **settings: Any) -> Any:
        """Run the op.

        Args:
            values: The inputs. If one of them is a Tensor or Variable, operands of other types are converted to its dtype.
            settings: The parameters of the op in canonical form, such as axes >= 0.

        Returns:
            The outputs, as Arrays if all inputs are Arrays, as Batched if one of them is Batched, otherwise as Tensors.

        Raises:
            InvalidArgumentError: the op does not support the shapes or dtypes.
        """
        tensors = 0
        arrays = []
        given = values
        is_ready = False
        for value in values:
            kind = type(value)
            if kind is Tensor:
                tensors += 1
                arrays.append(value._array)
            elif kind in ARRAY_TYPES:
                arrays.append(value)
            elif (
                kind in _NUMBERS
                and tensors
                and self.same_dtype_args is None
                and tensors == len(arrays)
            ):
                # A Python number after a tensor, as in `x * 2.0`, is by far the most common case.
                tensors += 1
                arrays.append(convert.beside(value, arrays[0].dtype))
            elif isinstance(value, TensorLike):  # a variable: its current value
                tensors += 1
                position = len(arrays)
                value = value._read()
                arrays.append(value._array)
                values = (*values[:position], value, *values[position + 1 :])
            else:
                prepared = self._prepared(values)
                if prepared is None:
                    return self._run_batched(given, settings)
                values, arrays, tensors = prepared
                is_ready = True
                break
        if not tensors:
            try:
                return self.kernel(*arrays, **settings)
            except ValueError as error:
                raise self._as_op_error(error, arrays) from None
        if tensors != len(arrays) and not is_ready:
            prepared = self._prepared(values)
            # with a Batched value, the loop above would have ended early
            assert prepared is not None
            values, arrays, tensors = prepared
        dtype = arrays[0].dtype
        if len(arrays) > 1:
            for array in arrays:
                if array.dtype is not dtype:
                    self._check_same_dtype(arrays)
                    break
        if dtype.kind not in self.dtype_kinds:
            raise wrong_kind(self.name, arrays[0], self.dtype_kinds)
        try:
            y = self.kernel(*arrays, **settings)
        except ValueError as error:
            raise self._as_op_error(error, arrays) from None
        if self.outputs == 1:
            out = Tensor(as_object_array([y], ()) if type(y) is bytes else y)
            results: tuple[Tensor, ...] = (out,)
        else:
            results = tuple(map(Tensor, y))
        active = thread.active
        if active or listeners.active:
            self._emit_tapes(active, given, values, arrays, results, settings)
        return out if self.outputs == 1 else results

    def of_two(self, a: Any, b: Any) -> Any:
        """Return `self(a, b)` for one of Python's binary operators; most ops of a program are called this way.

        It handles a Tensor or Variable with another one of the same dtype or with a Python number, without the lists and checks
        of `__call__`, in 60 to 70% of the time. `__call__` handles all other operands.
        """
        if type(a) is Tensor:
            left = a
            x = a._array
        elif type(a) in _NUMBERS and isinstance(b, TensorLike) and self.same_dtype_args is None:
            left = x = convert.beside(a, b._array.dtype)
        elif isinstance(a, TensorLike):  # a variable: its current value
            left = a._read()
            x = left._array
        else:
            return self(a, b)
        dtype = x.dtype
        if type(b) is Tensor:
            right = b
            y = b._array
        elif type(b) in _NUMBERS and self.same_dtype_args is None:
            right = y = convert.beside(b, dtype)
        elif isinstance(b, TensorLike):  # a variable: its current value
            right = b._read()
            y = right._array
        else:
            return self(a, b)
        if y.dtype is not dtype or dtype.kind not in self.dtype_kinds:
            return self(a, b)
        try:
            z = self.kernel(x, y)
        except ValueError as error:
            raise self._as_op_error(error, [x, y]) from None
        out = Tensor(as_object_array([z], ()) if type(z) is bytes else z)
        active = thread.active
        if active or listeners.active:
            self._emit_tapes(active, (a, b), (left, right), (x, y), (out,), _NO_SETTINGS)
        return out

    def _as_op_error(self, error: ValueError, arrays: list[Array]) -> Exception:
        """Return the error to raise: an error of minitape unchanged, an error of NumPy replaced by one that names the op and
        the shapes.
        """
        if isinstance(error, InvalidArgumentError):
            return error
        return shape_mismatch(self.name, arrays, str(error).splitlines()[0])

    def _prepared(self, values: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[Array], int] | None:
        """Convert inputs of any kind: read variables, and convert operands of a tensor to its dtype.

        Returns:
            The inputs as Tensors and Arrays, their arrays, and how many of them are Tensors; or None if one is Batched.
        """
        same_dtype_args = self.same_dtype_args
        if same_dtype_args is None and len(values) == 2:
            # A shortcut for a Python number before a tensor, as in `2.0 * x`: it takes half the time.
            a, b = values
            if type(b) is Tensor and type(a) in _NUMBERS:
                a = convert.beside(a, b._array.dtype)
                return (a, b), [a, b._array], 1
        ready = []
        lead = None  # the dtype of the first tensor
        for position, value in enumerate(values):
            kind = type(value)
            if kind is Batched:
                return None
            if kind is not Tensor and kind not in _AS_THEY_ARE:
                value = _as_read(value)
            if (
                lead is None
                and type(value) is Tensor
                and (same_dtype_args is None or position in same_dtype_args)
            ):
                lead = value._array.dtype
            ready.append(value)
        if lead is None:
            ready = self._numbers_beside_arrays(ready)
        arrays = []
        tensors = 0
        for position, value in enumerate(ready):
            if type(value) is not Tensor:
                may_follow = lead is not None and (
                    same_dtype_args is None or position in same_dtype_args
                )
                if may_follow and not _has_tensors(value):
                    value = convert.beside(value, lead)
                elif type(value) not in ARRAY_TYPES:
                    value = convert.convert_to_tensor(value)
                ready[position] = value
            if type(value) is Tensor:
                tensors += 1
                arrays.append(value._array)
            else:
                arrays.append(value)
        return tuple(ready), arrays, tensors

    def _numbers_beside_arrays(self, values: list[Any]) -> list[Any]:
        """Convert the numbers in an expression such as `1.0 - y` of a rule that runs on arrays to the dtype of the array, so that
        the result stays an array.
        """
        for position, value in enumerate(values):
            if type(value) in ARRAY_TYPES and self._is_alike(position):
                dtype = value.dtype
                return [convert.beside(v, dtype) if type(v) in _NUMBERS else v for v in values]
        return values

    def _is_alike(self, position: int) -> bool:
        return self.same_dtype_args is None or position in self.same_dtype_args

    def _check_same_dtype(self, arrays: list[Array]) -> None:
        """Raise an error if two tensors have different dtypes."""
        first = None
        for position, array in enumerate(arrays):
            if not self._is_alike(position):
                continue
            if first is None:
                first = position
            elif array.dtype != arrays[first].dtype:
                raise dtype_mismatch(self.name, arrays, first, position)

    def _emit_tapes(
        self,
        active: tuple[Recorder, ...],
        given: tuple[Any, ...],
        values: tuple[Any, ...],
        arrays: Sequence[Array],
        results: tuple[Tensor, ...],
        settings: dict[str, Any],
    ) -> None:
        """Create one record, shared by all tapes that watch an input, then send the event."""
        record = None
        recorded_by = []  # the listeners receive these
        is_traced = bool(listeners.active)
        if active and not self.hidden_from_tape:
            ids = _ids(values)
            for tape in active:
                watched = tape.watched
                if watched.isdisjoint(ids):
                    continue
                for out in results:
                    if out._array.dtype.kind in DIFFERENTIABLE_KINDS:
                        watched.add(out._id)
                if self.gradient == "none":
                    continue
                if record is None:
                    record = self._record(ids, arrays, results, settings)
                tape.records.append(record)
                if is_traced:
                    recorded_by.append(tape)
        if is_traced:
            saved = () if record is None else _residuals(record, values, results)
            # A list of tensors was stacked by another op, so the result of that op is the input.
            shown = tuple(
                [
                    v if type(v) is Tensor and not isinstance(g, TensorLike) else g
                    for g, v in zip(given, values)
                ]
            )
            listeners.emit(OpRan(self, shown, results, settings, tuple(recorded_by), saved))

    def _record(
        self,
        ids: tuple[int, ...],
        arrays: Sequence[Array],
        results: tuple[Tensor, ...],
        settings: dict[str, Any],
    ) -> Record:
        """Return the record of an op that ran: the ids, and the values that its rules read."""
        residual_masks = self.residual_mask
        # The inputs have one dtype, and one of them is watched, so all are differentiable and each rule may be needed.
        if residual_masks and (NO_ID in ids or self.same_dtype_args is not None):
            residual_masks = NO_READS
            for identity, array, of_rule in zip(ids, arrays, self.residual_masks):
                # A tensor that is not watched now may be watched later, so its rule may be needed too.
                if identity and array.dtype.kind in DIFFERENTIABLE_KINDS:
                    residual_masks |= of_rule
        reads_output = residual_masks & READS_OUTPUT
        saved: list[Value] = []
        for array in arrays:
            residual_masks >>= 1  # now READS_OUTPUT's bit is the flag of this input
            saved.append(array if residual_masks & READS_OUTPUT else shape_dtype_of(array))
        if self.outputs == 1:
            (out,) = results
            outputs: Ints = (out._id,)
            y = out._array
            result = self._residual_of(y) if reads_output else shape_dtype_of(y)
        else:
            outputs = tuple([out._id for out in results])
            ys = [out._array for out in results]
            result = tuple(map(self._residual_of if reads_output else shape_dtype_of, ys))
        return Record(self, ids, outputs, tuple(saved), result, settings or _NO_SETTINGS)

    def _residual_of(self, y: Array) -> Array:
        return y if self.output_residual is None else self.output_residual(y)

    def _run_batched(self, values: tuple[Any, ...], settings: dict[str, Any]) -> Any:
        """Run the op on Batched values by its batch rule."""
        if self.batch is None:
            report_loop(f"`{self.name}` has no batch rule")
        stacked = tuple(type(value) is Batched for value in values)
        plain = [value.stack if is_stacked else value for value, is_stacked in zip(values, stacked)]
        answer = (self.batch or one_by_one)(self, stacked, *plain, **settings)
        if isinstance(answer, tuple):
            return tuple(map(Batched, answer))
        return Batched(answer)


class OpRan(NamedTuple):
    """A primitive ran on tensors. `given` are its arguments before any conversion."""

    primitive: Primitive
    given: tuple[Any, ...]
    outputs: tuple[Tensor, ...]
    settings: dict[str, Any]
    recorded_by: tuple[Any, ...]
    saved: tuple[Any, ...]


_NUMBERS = (float, int)
# Types that need no conversion before `beside`. Nearly all values have one of these types, so they are tested first.
_AS_THEY_ARE = ARRAY_TYPES.union(_NUMBERS)


def _as_read(value: Any) -> Any:
    """Return a Variable as its current value and IndexedSlices as a dense tensor; other values unchanged."""
    if isinstance(value, TensorLike):
        return value._read()
    return value.to_dense_tensor() if isinstance(value, IndexedSlices) else value


def _ids(values: tuple[Any, ...]) -> Ints:
    """Return the ids of the inputs of an op, of which at least one is a tensor; NO_ID for an input that is not."""
    # Nearly all ops have one or two inputs; for these, `match` takes half the time of a comprehension (0.1 instead of 0.19 µs).
    match values:
        case (a,):
            return (a._id,)
        case (a, b):
            return a._id if type(a) is Tensor else NO_ID, b._id if type(b) is Tensor else NO_ID
    return tuple([value._id if type(value) is Tensor else NO_ID for value in values])


# Each call without settings creates an empty dict; records share this dict instead.
_NO_SETTINGS: dict[str, Any] = {}


def _residuals(
    record: Record, values: tuple[Any, ...], results: tuple[Tensor, ...]
) -> tuple[Any, ...]:
    """Return the inputs and results whose values a record keeps."""
    remembered = record.result if type(record.result) is tuple else (record.result,)
    pairs = zip((*values, *results), (*record.saved, *remembered), strict=True)
    return tuple([value for value, saved in pairs if type(saved) is not ShapeDtype])


_LISTS = (list, tuple)


def _has_tensors(value: Any) -> bool:
    return isinstance(value, _LISTS) and convert._holds_tensors(value)


def public(
    primitive: Primitive, *parameters: str, about: str, page: str, returns: str = ""
) -> Callable[..., Any]:
    """Return the public function of an op, which has TensorFlow's parameter names and accepts every value that can become a
    tensor.

    A primitive returns arrays for arrays, because rules run on arrays. The public function returns a tensor.

    Args:
        primitive: The op.
        parameters: TensorFlow's names of its inputs, in order.
        about: The first line of the docstring.
        page: The function's page in TensorFlow's API documentation, such as "math/add".
        returns: What the function returns, for the docstring; by default a tensor as elementwise arithmetic returns it.
    """

    def call(*values: Any, name: str | None = None, **by_name: Any) -> Any:
        if by_name or len(values) != count:
            values = _in_order(primitive, parameters, values, by_name)
        for value in values:
            if type(value) is Tensor:
                return primitive(*values)
        first = convert.as_operand(values[0], *values[1:])
        return primitive(first, *values[1:])

    count = len(parameters)
    call.__name__ = call.__qualname__ = primitive.name.lower()
    call.__doc__ = _documentation(primitive, parameters, about, page, returns)
    call.__wrapped_primitive__ = primitive  # type: ignore[attr-defined]
    call.__signature__ = _signature(parameters)  # type: ignore[attr-defined]
    return call


_KINDS = {"f": "float", "c": "complex", "i": "integer", "b": "bool", "O": "string"}


def _documentation(
    primitive: Primitive, parameters: tuple[str, ...], about: str, page: str, returns: str
) -> str:
    """Return the docstring of the public function of an elementwise op."""
    *most, last = [kind for letter, kind in _KINDS.items() if letter in primitive.dtype_kinds]
    kinds = f"{', '.join(most)} or {last}" if most else last
    first, *others = parameters
    lines = [f"{first}: Any shape; {kinds}."]
    lines += [f"{other}: The same dtype; the shapes broadcast." for other in others]
    arguments = "".join(f"        {line}\n" for line in (*lines, "name: Ignored."))
    returns = returns or (
        "A tensor with the broadcast shape and the same dtype."
        if others
        else f"A tensor with the shape and dtype of `{first}`."
    )
    gradient = {"none": f"none: {primitive.reason}", "missing": f"LookupError: {primitive.reason}"}
    return (
        f"{about}\n\n    Args:\n{arguments}\n"
        f"    Returns:\n        {returns}\n\n"
        f"    Gradient: {gradient.get(primitive.gradient, primitive.rule)}.\n\n"
        f"    Source: https://www.tensorflow.org/api_docs/python/tf/{page}\n    "
    )


def _signature(parameters: tuple[str, ...]) -> inspect.Signature:
    """Return the signature that `help` and editors show."""
    either = inspect.Parameter.POSITIONAL_OR_KEYWORD
    named = [inspect.Parameter(parameter, either) for parameter in parameters]
    return inspect.Signature([*named, inspect.Parameter("name", either, default=None)])


def _in_order(
    primitive: Primitive,
    parameters: tuple[str, ...],
    values: tuple[Any, ...],
    by_name: dict[str, Any],
) -> tuple[Any, ...]:
    """Return the values by position, without the optional name of the op after them.

    Raises:
        TypeError: a value is missing or given twice, or a parameter is unknown.
    """
    said = f"{primitive.name} takes {', '.join(parameters)}, and name"
    if len(values) > len(parameters) + 1:
        raise TypeError(f"{said}; got {len(values)} values")
    values, open_ = values[: len(parameters)], parameters[len(values) :]
    unknown = [name for name in by_name if name not in open_]
    if unknown:
        twice = unknown[0] in parameters
        what = "got two values for" if twice else "got an unexpected keyword argument"
        raise TypeError(f"{primitive.name} {what} '{unknown[0]}'; {said}")
    missing = [name for name in open_ if name not in by_name]
    if missing:
        raise TypeError(f"{primitive.name} is missing '{missing[0]}'; {said}")
    return (*values, *(by_name[name] for name in open_))


def is_array(value: Value) -> bool:
    """Whether a value is an array or a NumPy scalar."""
    return type(value) in ARRAY_TYPES or isinstance(value, np.ndarray | np.generic)
