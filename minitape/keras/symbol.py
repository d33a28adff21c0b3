"""`Symbol`, the symbolic output of a layer, for functional models that are defined before any data are available.

`Input(shape)` creates the first symbol. A layer, an activation or an operator that receives a symbol returns another symbol
and has no other effect, so a model can be defined first and run later.

The shape and dtype of an output are inferred by running zeros through the layer twice, with different values in place of each
unknown size. Where the shapes of the two outputs differ, the size is None.

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
from minitape.core.tensor import Tensor, TensorLike, snapshot
from minitape.errors import InvalidArgumentError, TapeTypeError, TapeValueError
from minitape.keras.naming import names
from minitape.ops import comparison
from minitape.ops.identity import cast
from minitape.ops.reshaping import reshape, squeeze

_numbers = count()
_STRUCTURES = (list, tuple, dict)
Shape = tuple[int | None, ...]
Examples = tuple[Tensor, Tensor]


class Operation:
    """A node of a functional model that is not a layer but an operator, a slice or an activation."""

    def __init__(self, compute: Callable[..., Any], name: str) -> None:
        self.compute, self.name = compute, names.next_for(name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.compute(*args, **kwargs)


def drawable(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function also accept symbols; for a symbol, it returns a symbol.

    Args:
        compute: The function.

    Returns:
        The wrapped function.
    """

    @functools.wraps(compute)
    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        if type(x) is Symbol:
            return drawn(Operation(compute, compute.__name__), (x, *args), kwargs)
        return compute(x, *args, **kwargs)

    return call


# --- operators ---


def _alike(a: Any, b: Any) -> tuple[Any, Any]:
    """Convert two operands to a common dtype; as in Keras, an integer combined with a float becomes that float dtype."""
    arrays = [each for each in (a, b) if isinstance(each, TensorLike | np.ndarray | np.generic)]
    kinds = [dtypes.as_dtype(each.dtype) for each in arrays]
    if isinstance(a, float) or isinstance(b, float):
        kinds += [dtypes.float32] if not any(each.is_floating for each in kinds) else []
    floats = [each for each in kinds if each.is_floating or each.is_complex]
    wanted = dtypes.as_dtype(np.result_type(*(each.numpy for each in floats or kinds)))
    first, second = (
        cast(each, wanted) if isinstance(each, TensorLike | np.ndarray | np.generic) else each
        for each in (a, b)
    )
    return first, second


def _quotient(a: Any, b: Any) -> Any:
    """Return a / b; integers are divided in float32, where TensorFlow uses float64."""
    x, y = _alike(a, b)
    whole = isinstance(x, TensorLike) and not (x.dtype.is_floating or x.dtype.is_complex)
    return cast(x / y, dtypes.float32) if whole else x / y


def _binary(of_two: Callable[[Any, Any], Any], name: str) -> tuple[Callable[..., Any], ...]:
    """Return an operator and its reflected version, which Python calls if the symbol is the right operand."""

    def compute(a: Any, b: Any) -> Any:
        return of_two(*_alike(a, b))

    def draw(self: "Symbol", other: Any) -> Any:
        return drawn(Operation(compute, name), (self, other), {})

    def reflected(self: "Symbol", other: Any) -> Any:
        return drawn(Operation(compute, name), (other, self), {})

    return draw, reflected


def _single(of_one: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return an operator on one symbol; its other arguments are constants."""

    def draw(self: "Symbol", *settings: Any) -> Any:
        return drawn(Operation(lambda x: of_one(x, *settings), name), (self,), {})

    return draw


def _rounded(x: Any, digits: int | None = None) -> Any:
    scale = 10.0 ** (digits or 0)
    return comparison.round(x * scale) / scale if digits else comparison.round(x)


class Symbol:
    """The symbolic output of a layer that was called on symbols.

    Args:
        layer: The layer.
        given: Arguments and keyword arguments of the call, which contain symbols; None for an input of the model.
        examples: The two outputs of the layer for the two example inputs.
        part: Index of the output, if the layer has several outputs.
        name: Name of the symbol; "keras_tensor" with a number by default.
    """

    def __init__(
        self, layer: Any, given: Any, examples: Examples, part: int = 0, name: str | None = None
    ) -> None:
        self.layer, self.given, self.examples, self.part = layer, given, examples, part
        self.name = name or names.next_for("keras_tensor")
        self.number = next(_numbers)  # higher than the numbers of the symbols that it depends on

    @property
    def shape(self) -> Shape:
        """Return the shape of the output, in which None is an unknown size."""
        one, other = (each.shape for each in self.examples)
        return tuple(a if a == b else None for a, b in zip(one, other, strict=True))

    @property
    def ndim(self) -> int:
        """Return the number of axes."""
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        """Return the dtype of the output."""
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
        """Reshape the output, including the batch.

        Args:
            newshape: The new shape.

        Returns:
            A symbol.
        """
        answer: Symbol = _single(reshape, "reshape")(self, newshape)
        return answer

    def squeeze(self, axis: Any = None) -> "Symbol":
        """Remove axes of size 1.

        Args:
            axis: Axis or axes to remove; None removes all axes of size 1.

        Returns:
            A symbol.
        """
        answer: Symbol = _single(squeeze, "squeeze")(self, axis)
        return answer

    # --- operations that need values ---

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        raise TapeValueError(
            "A KerasTensor has a shape and a dtype but no values yet. It can be passed to layers, activations and operators, "
            "but not to TensorFlow or NumPy functions.",
            fix="use `tf.keras.layers.Lambda(lambda x: your_function(x))(x)`, or call the function in the `call` method of a "
            "custom layer",
            code="MT507",
        )

    def __float__(self) -> NoReturn:
        self.__array__()

    def __int__(self) -> NoReturn:
        self.__array__()

    def __bool__(self) -> NoReturn:
        raise TapeTypeError(
            "A symbolic KerasTensor cannot be used as a boolean, because it has no values yet.",
            fix="use `tf.where` instead of `if`, in the `call` method of a custom layer",
        )

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError("Iterating over a symbolic KerasTensor is not supported.")


# --- calls on symbols ---


def symbols_in(structure: Any) -> list[Symbol]:
    """Return all symbols in a structure, in order.

    Args:
        structure: Nested lists, tuples and dicts.

    Returns:
        A list of symbols.
    """
    return [each for each in nest.flatten(structure) if type(each) is Symbol]


def with_values(structure: Any, value_of: Callable[[Symbol], Any]) -> Any:
    """Replace each symbol in a structure with a value.

    Args:
        structure: Nested lists, tuples and dicts.
        value_of: Function from a symbol to its value.

    Returns:
        A structure with the same nesting and values in place of the symbols.
    """
    return nest.map_structure(
        lambda each: value_of(each) if type(each) is Symbol else each, structure
    )


def is_drawing(args: tuple[Any, ...], settings: dict[str, Any]) -> bool:
    """Return whether the arguments of a layer's call contain symbols.

    Args:
        args: The positional arguments.
        settings: The keyword arguments.

    Returns:
        A bool.
    """
    for value in (*args, *settings.values()):
        kind = type(value)
        if kind is Symbol or (kind in _STRUCTURES and symbols_in(value)):
            return True
    return False


def drawn(layer: Any, args: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    """Call a layer on symbols.

    Args:
        layer: The layer or operation.
        args: The positional arguments.
        settings: The keyword arguments.

    Returns:
        The output symbols, in the structure of the layer's outputs.
    """
    given = (args, settings)
    with _with_weights_restored(layer), _as_value_errors(layer):
        one = _answer(layer, given, 0)
        with _without_listeners():
            other = _answer(layer, given, 1)
    flat = nest.flatten(one)
    both = zip(flat, nest.flatten(other), strict=True)
    symbols = [
        Symbol(layer, given, pair, part) if isinstance(pair[0], TensorLike) else pair[0]
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
    """Raise a ValueError for an operator on symbols whose shapes do not match, as in Keras."""
    try:
        yield
    except InvalidArgumentError as error:
        if isinstance(layer, Operation):
            raise TapeValueError(error.what, fix=error.fix, code=error.code) from error
        raise


@contextmanager
def _without_listeners() -> Iterator[None]:
    """Disable tapes and tracing during a run that only infers shapes."""
    received, recorded = listeners.active, thread.active
    listeners.active = thread.active = ()
    try:
        yield
    finally:
        listeners.active, thread.active = received, recorded


@contextmanager
def _with_weights_restored(layer: Any) -> Iterator[None]:
    """Restore weights to their values before the block, or to their initial values; a run with zeros is not training."""
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
