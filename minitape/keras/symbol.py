"""Symbol: what a layer would answer, for models that are drawn before there are data.

`Input(shape)` makes the first. A layer, an activation or an operator that gets a symbol gives one back, and remembers
nothing else: so models are drawn, and run later.

What shape and dtype an answer has is learned by running zeros through, twice, with other numbers in place of each size
that is not known. Where the two answers differ, the size is None.

Source: https://keras.io/guides/functional_api/
"""

import functools
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, NoReturn

import numpy as np

from minitape.core import dtypes, listeners, nest
from minitape.core.recorders import thread
from minitape.core.tensor import ArrayFace, Tensor, snapshot
from minitape.errors import InvalidArgumentError, TapeTypeError, TapeValueError
from minitape.keras.naming import names
from minitape.ops import comparing
from minitape.ops.passing import cast
from minitape.ops.shaping import reshape, squeeze

_numbers = count()
_STRUCTURES = (list, tuple, dict)
Shape = tuple[int | None, ...]
Examples = tuple[Tensor, Tensor]


class Operation:
    """What stands in a drawing and is no layer: an operator, a slice, an activation."""

    def __init__(self, compute: Callable[..., Any], name: str) -> None:
        self.compute, self.name = compute, names.next_for(name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.compute(*args, **kwargs)


def drawable(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a value that may also be drawn: given a symbol it answers with one."""

    @functools.wraps(compute)
    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        if type(x) is Symbol:
            return drawn(Operation(compute, compute.__name__), (x, *args), kwargs)
        return compute(x, *args, **kwargs)

    return call


# --- operators ---


def _alike(a: Any, b: Any) -> tuple[Any, Any]:
    """Both in the dtype that holds both: as Keras has it, a whole number beside a float becomes that float."""
    arrays = [each for each in (a, b) if isinstance(each, ArrayFace | np.ndarray | np.generic)]
    kinds = [dtypes.as_dtype(each.dtype) for each in arrays]
    if isinstance(a, float) or isinstance(b, float):
        kinds += [dtypes.float32] if not any(each.is_floating for each in kinds) else []
    floats = [each for each in kinds if each.is_floating or each.is_complex]
    wanted = dtypes.as_dtype(np.result_type(*(each.numpy for each in floats or kinds)))
    first, second = (
        cast(each, wanted) if isinstance(each, ArrayFace | np.ndarray | np.generic) else each
        for each in (a, b)
    )
    return first, second


def _quotient(a: Any, b: Any) -> Any:
    """a / b; of whole numbers a float32, where TensorFlow has a float64."""
    x, y = _alike(a, b)
    whole = isinstance(x, ArrayFace) and not (x.dtype.is_floating or x.dtype.is_complex)
    return cast(x / y, dtypes.float32) if whole else x / y


def _binary(of_two: Callable[[Any, Any], Any], name: str) -> tuple[Callable[..., Any], ...]:
    """An operator and its reflection, which Python asks for when the symbol stands on the right."""

    def compute(a: Any, b: Any) -> Any:
        return of_two(*_alike(a, b))

    def draw(self: "Symbol", other: Any) -> Any:
        return drawn(Operation(compute, name), (self, other), {})

    def reflected(self: "Symbol", other: Any) -> Any:
        return drawn(Operation(compute, name), (other, self), {})

    return draw, reflected


def _single(of_one: Callable[..., Any], name: str) -> Callable[..., Any]:
    """An operator on one symbol; what else it takes is a setting."""

    def draw(self: "Symbol", *settings: Any) -> Any:
        return drawn(Operation(lambda x: of_one(x, *settings), name), (self,), {})

    return draw


def _rounded(x: Any, digits: int | None = None) -> Any:
    scale = 10.0 ** (digits or 0)
    return comparing.round(x * scale) / scale if digits else comparing.round(x)


class Symbol:
    """The answer of a layer to other symbols.

    Args:
        layer: Whose answer it is.
        given: Arguments and settings of the call, with symbols in them; None for an input of the model.
        examples: What the layer answered to the two examples of these.
        part: Which of several answers.
        name: By default "keras_tensor", numbered.
    """

    def __init__(
        self, layer: Any, given: Any, examples: Examples, part: int = 0, name: str | None = None
    ) -> None:
        self.layer, self.given, self.examples, self.part = layer, given, examples, part
        self.name = name or names.next_for("keras_tensor")
        self.number = next(_numbers)  # a symbol has a higher one than those that it is made of

    @property
    def shape(self) -> Shape:
        """That of the answer; None for a size that is not known."""
        one, other = (each.shape for each in self.examples)
        return tuple(a if a == b else None for a, b in zip(one, other, strict=True))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        return self.examples[0].dtype

    def __repr__(self) -> str:
        return f"<KerasTensor shape={self.shape}, dtype={self.dtype.name}, name={self.name}>"

    __add__, __radd__ = _binary(operator.add, "add")
    __sub__, __rsub__ = _binary(operator.sub, "subtract")
    __mul__, __rmul__ = _binary(operator.mul, "multiply")
    __truediv__, __rtruediv__ = _binary(_quotient, "true_divide")
    __floordiv__, __rfloordiv__ = _binary(operator.floordiv, "floor_divide")
    __mod__, __rmod__ = _binary(operator.mod, "mod")
    __pow__, __rpow__ = _binary(operator.pow, "power")
    __matmul__, __rmatmul__ = _binary(operator.matmul, "matmul")
    __and__, __rand__ = _binary(operator.and_, "logical_and")
    __or__, __ror__ = _binary(operator.or_, "logical_or")
    __xor__, __rxor__ = _binary(operator.xor, "logical_xor")
    __lt__ = _binary(operator.lt, "less")[0]
    __le__ = _binary(operator.le, "less_equal")[0]
    __gt__ = _binary(operator.gt, "greater")[0]
    __ge__ = _binary(operator.ge, "greater_equal")[0]
    __ne__ = _binary(operator.ne, "not_equal")[0]
    __neg__ = _single(operator.neg, "negative")
    __abs__ = _single(abs, "absolute")
    __invert__ = _single(operator.invert, "logical_not")
    __round__ = _single(_rounded, "round")
    __getitem__ = _single(operator.getitem, "get_item")
    __hash__ = object.__hash__

    def reshape(self, newshape: Any) -> "Symbol":
        """The answer in another shape, the batch included."""
        answer: Symbol = _single(reshape, "reshape")(self, newshape)
        return answer

    def squeeze(self, axis: Any = None) -> "Symbol":
        """The answer without the axes of size 1."""
        answer: Symbol = _single(squeeze, "squeeze")(self, axis)
        return answer

    # --- what only numbers can do ---

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        raise TapeValueError(
            "A KerasTensor has a shape and a dtype and no numbers yet: it can be given to layers, activations and "
            "operators, and not to functions of TensorFlow or NumPy.",
            fix="tf.keras.layers.Lambda(lambda x: tf.function_of_yours(x))(x), or a layer of your own whose call uses it",
            code="MT507",
        )

    def __float__(self) -> NoReturn:
        self.__array__()

    def __int__(self) -> NoReturn:
        self.__array__()

    def __bool__(self) -> NoReturn:
        raise TapeTypeError(
            "A symbolic KerasTensor cannot be used as a boolean: it has no numbers yet.",
            fix="tf.where in the call of a layer of your own, in place of `if`",
        )

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError("Iterating over a symbolic KerasTensor is not supported.")


# --- drawing ---


def symbols_in(structure: Any) -> list[Symbol]:
    """All symbols of a structure, in order."""
    return [each for each in nest.flatten(structure) if type(each) is Symbol]


def with_values(structure: Any, value_of: Callable[[Symbol], Any]) -> Any:
    """The structure with a value in place of each symbol."""
    return nest.map_structure(
        lambda each: value_of(each) if type(each) is Symbol else each, structure
    )


def is_drawing(args: tuple[Any, ...], settings: dict[str, Any]) -> bool:
    """Whether a layer is being drawn, and not run."""
    for value in (*args, *settings.values()):
        kind = type(value)
        if kind is Symbol or (kind in _STRUCTURES and symbols_in(value)):
            return True
    return False


def drawn(layer: Any, args: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    """Symbols for what the layer answers, in the structure of its answer."""
    given = (args, settings)
    with _as_if_nothing_happened(layer), _as_value_errors(layer):
        one = _answer(layer, given, 0)
        with _unheard():
            other = _answer(layer, given, 1)
    flat = nest.flatten(one)
    both = zip(flat, nest.flatten(other), strict=True)
    symbols = [
        Symbol(layer, given, pair, part) if isinstance(pair[0], ArrayFace) else pair[0]
        for part, pair in enumerate(both)
    ]
    answer = nest.pack_sequence_as(one, symbols)
    layer.__dict__.setdefault("_drawn", []).append((given, answer))
    return answer


def _answer(layer: Any, given: Any, which: int) -> Any:
    args, settings = with_values(given, lambda symbol: symbol.examples[which])
    return layer(*args, **settings)


@contextmanager
def _as_value_errors(layer: Any) -> Iterator[None]:
    """As in Keras, an operator on symbols whose shapes do not fit is a ValueError."""
    try:
        yield
    except InvalidArgumentError as error:
        if isinstance(layer, Operation):
            raise TapeValueError(error.what, fix=error.fix, code=error.code) from error
        raise


@contextmanager
def _unheard() -> Iterator[None]:
    """What runs only to learn sizes goes onto no tape and into no trace."""
    heard, recorded = listeners.active, thread.active
    listeners.active = thread.active = ()
    try:
        yield
    finally:
        listeners.active, thread.active = heard, recorded


@contextmanager
def _as_if_nothing_happened(layer: Any) -> Iterator[None]:
    """Weights stay as they are, or as they were made: zeros that run through are no training."""
    kept = [(weight, weight._array) for weight in getattr(layer, "weights", ())]
    names.drawing += 1
    try:
        yield
    finally:
        names.drawing -= 1
        for weight, array in (*names.made, *kept):
            weight._tensor = snapshot(array, weight._id)
        if not names.drawing:
            names.made.clear()
