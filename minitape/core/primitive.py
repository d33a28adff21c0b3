"""Primitive: one op, declared once, and the one place where ops run.

A declaration says, in this order: TensorFlow's name, the kernel that computes with NumPy, one vjp rule for each argument, how the
op meets a stack of values (`batch`), which numbers its rules read (`saves`), and the sentence that teaches it (`rule`).

A rule is called as `rule(ybar, y, *inputs, **settings)` and returns the cotangent owed to its own input. It is written with
ops and operators only, so it can be differentiated again, and it sees every value in one of these forms:

    Array     no tape is looking: the rule runs at NumPy speed
    Tensor    another tape records the walk: second order
    Batched   many cotangents at once: a row of a Jacobian each
    Outline   `saves` says that the rule does not read these numbers

`saves` is one word for each rule (or one for all): the letters of what that rule reads, `a`, `b`, `c` ... for the inputs in
order, `x` for a single input, `y` for the output. What no rule reads is not kept. Where a rule reads less of the output than
its numbers, `gist` says what: of relu's, only which elements are positive, and that is a byte for each.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any

import numpy as np

from minitape.core import convert, events
from minitape.core.batched import Batched, one_by_one
from minitape.core.frames import report_loop
from minitape.core.mismatch import dtype_mismatch, shape_mismatch, wrong_kind
from minitape.core.recorders import Record, thread
from minitape.core.registry import PRIMITIVES
from minitape.core.tensor import ArrayFace, Tensor
from minitape.core.values import ARRAY_TYPES, Array, Ints, Outline, Value, outline_of
from minitape.errors import InvalidArgumentError

Rule = Callable[..., Any]
BatchRule = Callable[..., Any]

# For `accepts`: which kinds of NumPy dtype an op computes with.
NUMBERS = "fciu"
SMOOTH = "fc"
ANY = "fciubO"


class NoGradient:
    """Stands in for the rules of an op that has none, and says why.

    `answer` is what TensorFlow's tape does there: "none" ends the path, "missing" raises LookupError. A path that ends may
    begin anew at the output, which can be asked for like any value of the tape; `begins_anew` is False where it must not.
    """

    def __init__(self, reason: str, answer: str, *, begins_anew: bool = True) -> None:
        self.reason = reason
        self.answer = answer
        self.begins_anew = begins_anew


def no_gradient(reason: str, *, begins_anew: bool = True) -> NoGradient:
    """The op has no slope by nature: the path ends here, and the gradient is None."""
    return NoGradient(reason, "none", begins_anew=begins_anew)


def not_registered(reason: str) -> NoGradient:
    """Nobody has given TensorFlow a rule: differentiating through the op raises LookupError."""
    return NoGradient(reason, "missing")


class EveryInput:
    """Stands in for the rules of an op with any number of inputs: one rule, told the position of its own.

    It is called as `rule(position, ybar, y, *inputs, **settings)`.
    """

    def __init__(self, rule: Rule) -> None:
        self._rule = rule

    def __getitem__(self, position: int) -> Rule:
        return partial(self._rule, position)


class _SameForAll:
    """What rules read where it is the same for each input, however many there are."""

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def __getitem__(self, position: int) -> int:
        return self._bits

    def __iter__(self) -> Iterator[int]:
        return repeat(self._bits)


# For `outputs`: as many as the kernel returns, which is a tuple then.
AS_MANY_AS_COMPUTED = 0


class Primitive:
    """One op of the catalogue; calling it runs it on whatever it is given."""

    def __init__(
        self,
        name: str,
        kernel: Callable[..., Any],
        *,
        vjp: Sequence[Rule | None] | EveryInput | NoGradient,
        batch: BatchRule | None = None,
        saves: str | Sequence[str] = "",
        gist: Callable[[Array], Array] | None = None,
        rule: str = "",
        accepts: str = NUMBERS,
        alike: Sequence[int] | None = None,
        outputs: int = 1,
        gives_zero: bool = False,
        listed: bool = True,
    ) -> None:
        self.name = name
        self.kernel = kernel
        self.rules: tuple[Rule | None, ...] | EveryInput = (
            ()
            if isinstance(vjp, NoGradient)
            else vjp
            if isinstance(vjp, EveryInput)
            else tuple(vjp)
        )
        self.batch = batch
        self.gist = gist
        self.rule = rule or (vjp.reason if isinstance(vjp, NoGradient) else "")
        self.accepts = accepts
        self.alike = None if alike is None else frozenset(alike)
        self.outputs = outputs
        self.reason = vjp.reason if isinstance(vjp, NoGradient) else ""
        self.gradient = (
            vjp.answer if isinstance(vjp, NoGradient) else "zero" if gives_zero else "rule"
        )
        self._is_unseen = isinstance(vjp, NoGradient) and not vjp.begins_anew
        self.reads: tuple[int, ...] | _SameForAll
        if isinstance(self.rules, EveryInput) or not self.rules:
            self.reads = _SameForAll(_positions("".join(saves)))
        else:
            words = [saves] * len(self.rules) if isinstance(saves, str) else list(saves)
            self.reads = tuple(_positions(word) for word in words)
        self._all_reads = _positions("".join(saves))
        if listed:  # an op that a user's function makes for one call is no part of the catalogue
            PRIMITIVES[name] = self

    def __repr__(self) -> str:
        return f"<primitive {self.name}>"

    def __call__(self, *values: Any, **settings: Any) -> Any:
        """Run the op: Arrays give Arrays, Tensors (and what stands beside them) Tensors, Batched gives Batched."""
        tensors = 0
        arrays = []
        given = values
        for value in values:
            kind = type(value)
            if kind is Tensor:
                tensors += 1
                arrays.append(value._array)
            elif kind in ARRAY_TYPES:
                arrays.append(value)
            elif kind in _NUMBERS and tensors and self.alike is None and tensors == len(arrays):
                # A Python number after a tensor, as in `x * 2.0`, is the commonest case by far.
                tensors += 1
                arrays.append(convert.beside(value, arrays[0].dtype))
            else:
                values, arrays, tensors = self._prepared(values)
                if values is None:
                    return self._run_batched(given, settings)
                break
        if not tensors:
            try:
                return self.kernel(*arrays, **settings)
            except ValueError as error:
                raise self._in_our_words(error, arrays) from None
        if tensors != len(arrays) and values is given:
            values, arrays, tensors = self._prepared(values)
        dtype = arrays[0].dtype
        for array in arrays:
            if array.dtype is not dtype:
                self._check_alike(arrays)
                break
        if dtype.kind not in self.accepts:
            raise wrong_kind(self.name, arrays[0], self.accepts)
        try:
            y = self.kernel(*arrays, **settings)
        except ValueError as error:
            raise self._in_our_words(error, arrays) from None
        if self.outputs == 1:
            out = Tensor(y)
            results: tuple[Tensor, ...] = (out,)
        else:
            results = tuple(map(Tensor, y))
        active = thread.active
        if active or events.listeners:
            self._tell_tapes(active, given, values, arrays, results, settings)
        return out if self.outputs == 1 else results

    def _in_our_words(self, error: ValueError, arrays: list[Array]) -> Exception:
        """A kernel's own error as it is; NumPy's with the op and the shapes that did not fit."""
        if isinstance(error, InvalidArgumentError):
            return error
        return shape_mismatch(self.name, arrays, str(error).splitlines()[0])

    def _prepared(self, values: tuple[Any, ...]) -> tuple[Any, list[Array], int]:
        """The general way in: variables are read, what stands beside a tensor takes its dtype.

        Returns the values as Tensors and Arrays, their numbers, and how many are tensors; (None, [], 0) if one is Batched.
        """
        alike = self.alike
        if alike is None and len(values) == 2:
            # A Python number before a tensor, as in `2.0 * x`, in half the time.
            a, b = values
            if type(b) is Tensor and type(a) in _NUMBERS:
                a = convert.beside(a, b._array.dtype)
                return (a, b), [a, b._array], 1
        ready = []
        lead = None  # the dtype of the first tensor
        for position, value in enumerate(values):
            kind = type(value)
            if kind is Batched:
                return None, [], 0
            if kind is not Tensor and kind not in _AS_THEY_ARE:
                value = _as_read(value)
            if lead is None and type(value) is Tensor and (alike is None or position in alike):
                lead = value._array.dtype
            ready.append(value)
        if lead is None:
            ready = self._numbers_beside_arrays(ready)
        arrays = []
        tensors = 0
        for position, value in enumerate(ready):
            if type(value) is not Tensor:
                may_follow = lead is not None and (alike is None or position in alike)
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
        """Rules write `1.0 - y` of arrays too: there the number takes the array's dtype, and the answer stays an array."""
        for position, value in enumerate(values):
            if type(value) in ARRAY_TYPES and self._is_alike(position):
                dtype = value.dtype
                return [convert.beside(v, dtype) if type(v) in _NUMBERS else v for v in values]
        return values

    def _is_alike(self, position: int) -> bool:
        return self.alike is None or position in self.alike

    def _check_alike(self, arrays: list[Array]) -> None:
        """Tensors of different dtype never mix."""
        first = None
        for position, array in enumerate(arrays):
            if not self._is_alike(position):
                continue
            if first is None:
                first = position
            elif array.dtype != arrays[first].dtype:
                raise dtype_mismatch(self.name, arrays, first, position)

    def _tell_tapes(
        self,
        active: tuple[Any, ...],
        given: tuple[Any, ...],
        values: tuple[Any, ...],
        arrays: list[Array],
        results: tuple[Tensor, ...],
        settings: dict[str, Any],
    ) -> None:
        """One record, shared by all tapes that watch an input; then the event."""
        record = None
        recorded_by = []
        if active and not self._is_unseen:
            ids = _ids(values)
            for tape in active:
                watched = tape.watched
                if watched.isdisjoint(ids):
                    continue
                for out in results:
                    if out._array.dtype.kind in SMOOTH:
                        watched.add(out._id)
                if self.gradient == "none":
                    continue
                if record is None:
                    record = self._record(ids, arrays, results, settings)
                tape.records.append(record)
                recorded_by.append(tape)
        if events.listeners:
            kept = () if record is None else _kept(record, values, results)
            # A list of tensors was stacked by an op of its own: that tensor is the input.
            shown = tuple(
                [
                    v if type(v) is Tensor and not isinstance(g, ArrayFace) else g
                    for g, v in zip(given, values)
                ]
            )
            events.tell(events.OpRan(self, shown, results, settings, tuple(recorded_by), kept))

    def _record(
        self,
        ids: tuple[int, ...],
        arrays: list[Array],
        results: tuple[Tensor, ...],
        settings: dict[str, Any],
    ) -> Record:
        keep = self._all_reads
        # Of tensors alike, one is watched: so all of them have a slope, and each rule counts.
        if keep and (0 in ids or self.alike is not None):
            keep = 0
            for identity, array, reads in zip(ids, arrays, self.reads):
                # A tensor that is not watched now may still be watched later, so its rule counts too.
                if identity and array.dtype.kind in SMOOTH:
                    keep |= reads
        reads_output = keep & OUTPUT
        kept: list[Value] = []
        for array in arrays:
            kept.append(array if keep & 1 else outline_of(array))
            keep >>= 1
        if self.outputs == 1:
            (out,) = results
            outputs: Ints = (out._id,)
            y = out._array
            result = self._gist_of(y) if reads_output else outline_of(y)
        else:
            outputs = tuple([out._id for out in results])
            ys = [out._array for out in results]
            result = tuple(map(self._gist_of if reads_output else outline_of, ys))
        return Record(self, ids, outputs, tuple(kept), result, settings or _NO_SETTINGS)

    def _gist_of(self, y: Array) -> Array:
        return y if self.gist is None else self.gist(y)

    def _run_batched(self, values: tuple[Any, ...], settings: dict[str, Any]) -> Any:
        """Run on stacks by the batch rule, and stack the answer."""
        if self.batch is None:
            report_loop(f"{self.name} has no batch rule")
        stacked = tuple(type(value) is Batched for value in values)
        plain = [value.stack if is_stacked else value for value, is_stacked in zip(values, stacked)]
        answer = (self.batch or one_by_one)(self, stacked, *plain, **settings)
        if isinstance(answer, tuple):
            return tuple(map(Batched, answer))
        return Batched(answer)


OUTPUT = 1 << 16
_LETTERS = "abcdefgh"


def _positions(word: str) -> int:
    """The letters of `saves` as bits: bit i for input i, OUTPUT for y."""
    bits = 0
    for letter in word:
        bits |= OUTPUT if letter == "y" else 1 if letter == "x" else 1 << _LETTERS.index(letter)
    return bits


_NUMBERS = (float, int)
# What needs no reading before it stands beside a tensor; looked up here first, as nearly all values are.
_AS_THEY_ARE = ARRAY_TYPES.union(_NUMBERS)


def _as_read(value: Any) -> Any:
    """A variable as its value now, slices as the whole table; everything else as it is."""
    if isinstance(value, ArrayFace):
        return value._read()
    return value.to_dense_tensor() if hasattr(value, "to_dense_tensor") else value


def _ids(values: tuple[Any, ...]) -> Ints:
    """The ids of the inputs of an op that had a tensor among them; 0 for what is none."""
    # Nearly all ops have one input or two: for them, half the time of a comprehension.
    if len(values) == 1:
        return (values[0]._id,)
    if len(values) == 2:
        a, b = values
        return a._id if type(a) is Tensor else 0, b._id if type(b) is Tensor else 0
    return tuple([value._id if type(value) is Tensor else 0 for value in values])


# Each call without settings brings an empty dict of its own; records share this one.
_NO_SETTINGS: dict[str, Any] = {}


def _kept(record: Record, values: tuple[Any, ...], results: tuple[Tensor, ...]) -> tuple[Any, ...]:
    """The values and results whose numbers a record keeps."""
    remembered = record.result if type(record.result) is tuple else (record.result,)
    pairs = zip((*values, *results), (*record.kept, *remembered), strict=True)
    return tuple(value for value, kept in pairs if type(kept) is not Outline)


_LISTS = (list, tuple)


def _has_tensors(value: Any) -> bool:
    return isinstance(value, _LISTS) and convert._holds_tensors(value)


def public(primitive: Primitive, *parameters: str, about: str = "") -> Callable[..., Any]:
    """The function that users call: TensorFlow's parameter names, and anything that can become a tensor.

    A primitive leaves plain arrays plain, for its rules run on them; a user who gives an array wants a tensor back.
    """

    def call(*values: Any, name: str | None = None, **by_name: Any) -> Any:
        if by_name:
            values = _in_order(primitive, parameters, values, by_name)
        for value in values:
            if type(value) is Tensor:
                return primitive(*values)
        if len(values) != len(parameters):
            raise TypeError(
                f"{call.__name__}() takes {len(parameters)} values ({', '.join(parameters)}), "
                f"and {len(values)} were given"
            )
        first = convert.as_operand(values[0], *values[1:])
        return primitive(first, *values[1:])

    call.__name__ = call.__qualname__ = primitive.name.lower()
    call.__doc__ = (
        f"{about or primitive.name + ' of each element.'}\n\n    Gradient: {primitive.rule}\n"
    )
    call.__wrapped_primitive__ = primitive  # type: ignore[attr-defined]
    return call


def _in_order(
    primitive: Primitive,
    parameters: tuple[str, ...],
    values: tuple[Any, ...],
    by_name: dict[str, Any],
) -> tuple[Any, ...]:
    unknown = [name for name in by_name if name not in parameters[len(values) :]]
    if unknown:
        raise TypeError(
            f"{primitive.name} got an unexpected keyword argument '{unknown[0]}'; "
            f"its parameters are {', '.join(parameters)}"
        )
    rest = [by_name[name] for name in parameters[len(values) :] if name in by_name]
    return (*values, *rest)


def is_array(value: Value) -> bool:
    return type(value) in ARRAY_TYPES or isinstance(value, np.ndarray | np.generic)
