"""Layer: a function that owns its weights, and the names that they get.

Weights are made when the first input shows how large they must be.

Source: https://keras.io/api/layers/base_layer/
"""

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from itertools import chain
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import ArrayFace
from minitape.core.values import Ints, Value
from minitape.core.variable import Variable
from minitape.errors import TapeAttributeError, TapeValueError
from minitape.keras import initializers, regularizers
from minitape.keras.config import float_dtype
from minitape.keras.layers.symbol import drawn, is_drawing
from minitape.missing.known import Known
from minitape.ops.passing import cast


class _Names:
    """Names given so far, and the layers that are being built or called just now, the outermost first."""

    def __init__(self) -> None:
        self.given: Counter[str] = Counter()
        self.inside: list[str] = []
        self.training: list[Any] = []  # what each of these layers was told about training

    def next_for(self, kind: type) -> str:
        stem = in_small_letters(kind)
        number = self.given[stem]
        self.given[stem] += 1
        return f"{stem}_{number}" if number else stem


def in_small_letters(kind: type) -> str:
    """MaxPooling2D as max_pooling2d."""
    spaced = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", kind.__name__)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", spaced).lower()


names = _Names()


class Weight(Variable):
    """A variable of a layer.

    As in Keras, `name` is its own name, and `path` begins with that of its layer.

    Whether it counts as trainable may change. A tape watches it all the same, as with Keras: freezing takes a weight off the
    list that an optimizer gets, and not off the tape.
    """

    __slots__ = ("_counts",)

    def __init__(self, value: Any, *, may_train: bool, counts: bool, name: str, dtype: Any) -> None:
        self._counts = may_train and counts  # first, for a listener that hears of the variable asks
        super().__init__(value, trainable=may_train, name=name, dtype=dtype)

    @property
    def trainable(self) -> bool:
        return self._counts

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._counts = bool(value)

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def may_train(self) -> bool:
        return self._trainable

    def __repr__(self) -> str:
        about = f"path={self.path}, shape={self.shape}, dtype={self.dtype.name}"
        return f"<Variable {about}, value={self._array}>"


def _once_built(build: Callable[..., None]) -> Callable[..., None]:
    """As in Keras, a layer that was built by hand is not built again by its first call."""

    @wraps(build)
    def building(self: "Layer", *args: Any, **settings: Any) -> None:
        build(self, *args, **settings)
        self.built = True

    return building


class Layer(Known):
    """A function with weights: `build` makes them, `call` computes with them.

    Weights come from `add_weight`. Layers among the attributes, in lists, tuples and dicts too, are found by themselves, in
    the order in which they were set. A plain `tf.Variable` among them is not: as in Keras 3, it is no weight.

    Args:
        name: By default the name of the class, numbered.
        trainable: Whether its weights, and those of its layers, count as trainable.
        dtype: Of weights, and of float inputs; `floatx` by default.

    Source: https://keras.io/api/layers/base_layer/
    """

    def __init__(
        self, *, name: str | None = None, trainable: bool = True, dtype: Any = None, **_: Any
    ) -> None:
        self.name = name or names.next_for(type(self))
        self._trainable = trainable
        self.dtype = float_dtype(dtype)
        self.built = False
        self._added_losses: list[Any] = []

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "build" in vars(cls):
            cls.build = _once_built(cls.build)  # type: ignore[method-assign]

    # --- for those who write layers ---

    def build(self, input_shape: Any) -> None:
        """Make the weights; called once, with the shape of the first input."""

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output."""
        raise NotImplementedError(f"{type(self).__name__} has no `call(self, inputs)`.")

    def add_weight(
        self,
        shape: Any = (),
        initializer: Any = None,
        dtype: Any = None,
        trainable: bool = True,
        regularizer: Any = None,
        name: str | None = None,
        **_: Any,
    ) -> Variable:
        """A new weight of this layer.

        Args:
            shape: Its shape.
            initializer: Its first value; glorot_uniform by default, zeros for whole numbers.
            dtype: That of the layer by default.
            trainable: False for state that no gradient changes: a tape does not watch it by itself.
            regularizer: A function of the weight; its result is among the `losses`.
            name: Its own name; the path of the layer is put before it.
        """
        wanted = dtypes.as_dtype(dtype or self.dtype)
        first = initializer or ("glorot_uniform" if wanted.is_floating else "zeros")
        value = initializers.get(first)(shape, dtype=wanted)
        path = "/".join([*self._path(), name or "variable"])
        weight = Weight(value, may_train=trainable, counts=self._trainable, name=path, dtype=wanted)
        self.__dict__.setdefault("_own_weights", []).append(weight)
        penalty = regularizers.get(regularizer)
        if penalty is not None:
            self.__dict__.setdefault("_penalties", []).append((penalty, weight))
        return weight

    def add_loss(self, loss: Any) -> None:
        """Put a number, or a list of them, on the list of `losses`; the next call begins a new list."""
        self._added_losses.extend(loss if isinstance(loss, list | tuple) else [loss])

    def _path(self) -> list[str]:
        inside = names.inside
        return inside if inside and inside[-1] == self.name else [*inside, self.name]

    # --- for those who use them ---

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if "name" not in self.__dict__:
            raise TapeValueError(
                f"{type(self).__name__} was used before Layer.__init__ ran.",
                fix="super().__init__() as the first line of __init__",
            )
        if is_drawing(args):
            return drawn(self, args, kwargs)
        ready = [self._input(value) for value in args]
        settings = dict(kwargs)
        training = settings.pop("training", None)
        if training is None and names.training:
            training = names.training[-1]  # a layer inside another is told what that one was told
        if training is not None and _takes_training(type(self).call):
            settings["training"] = training
        if not names.inside:
            self._forget_added_losses()
        names.inside.append(self.name)
        names.training.append(training)
        try:
            if not self.built:
                self._build_for(ready)
            return self.call(*ready, **settings)
        finally:
            names.inside.pop()
            names.training.pop()

    def _input(self, value: Any) -> Any:
        """Arrays and lists become tensors, float values take the dtype of the layer."""
        is_number = isinstance(value, np.ndarray | np.generic | float | int)
        is_list = isinstance(value, list | tuple)
        if is_number or (is_list and not any(isinstance(each, ArrayFace) for each in value)):
            value = convert_to_tensor(value)
        if isinstance(value, ArrayFace) and value.dtype.is_floating and value.dtype != self.dtype:
            value = cast(value, self.dtype)
        return value

    def _build_for(self, inputs: list[Any]) -> None:
        first = inputs[0] if inputs else None
        if isinstance(first, list | tuple):
            self.build([value.shape for value in first])
        else:
            self.build(getattr(first, "shape", None))
        self.built = True

    @property
    def output(self) -> Any:
        """What the layer answers in the model that was drawn with it, for another model to end there.

        Raises:
            AttributeError: it was drawn in no place, or in several.
        """
        drawings = self.__dict__.get("_drawn", [])
        if len(drawings) != 1:
            raise TapeAttributeError(
                f"Layer '{self.name}' has no single output: it was drawn {len(drawings)} times.",
                fix="y = layer(x) with an x from tf.keras.Input; then use y",
            )
        return drawings[0]

    # --- weights ---

    @property
    def trainable(self) -> bool:
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)
        for weight in self.__dict__.get("_own_weights", ()):
            weight.trainable = weight.may_train and self._trainable
        for layer in self._sublayers():
            layer.trainable = value

    @property
    def weights(self) -> list[Variable]:
        """All weights, each once: its own first, then those of its layers."""
        found = {weight._id: weight for weight in self.__dict__.get("_own_weights", ())}
        for layer in self._sublayers():
            for weight in layer.weights:
                found.setdefault(weight._id, weight)
        return list(found.values())

    def _sublayers(self) -> list["Layer"]:
        found: dict[int, Layer] = {}
        for value in vars(self).values():
            for layer in _layers_in(value):
                found.setdefault(id(layer), layer)
        return list(found.values())

    @property
    def losses(self) -> list[Value]:
        """What `add_loss` was given, then what regularizers say of the trainable weights as they are now."""
        trained = {weight._id for weight in self.trainable_weights}
        penalties = [
            penalty(weight) for penalty, weight in self._all_penalties() if weight._id in trained
        ]
        return self._all_added_losses() + penalties

    def _all_added_losses(self) -> list[Value]:
        deeper = (layer._all_added_losses() for layer in self._sublayers())
        return list(chain(self._added_losses, *deeper))

    def _all_penalties(self) -> list[tuple[Callable[[Variable], Value], Variable]]:
        deeper = (layer._all_penalties() for layer in self._sublayers())
        return list(chain(self.__dict__.get("_penalties", ()), *deeper))

    def _forget_added_losses(self) -> None:
        self._added_losses = []
        for layer in self._sublayers():
            layer._forget_added_losses()

    @property
    def variables(self) -> list[Variable]:
        return self.weights

    @property
    def trainable_weights(self) -> list[Variable]:
        return [weight for weight in self.weights if weight.trainable] if self._trainable else []

    @property
    def trainable_variables(self) -> list[Variable]:
        return self.trainable_weights

    @property
    def non_trainable_weights(self) -> list[Variable]:
        trained = {weight._id for weight in self.trainable_weights}
        return [weight for weight in self.weights if weight._id not in trained]

    @property
    def non_trainable_variables(self) -> list[Variable]:
        return self.non_trainable_weights

    def get_weights(self) -> list[Any]:
        """The numbers of all weights, as arrays."""
        return [weight.numpy() for weight in self.weights]

    def set_weights(self, weights: Any) -> None:
        """Store numbers in all weights, in their order.

        Raises:
            ValueError: there are more or fewer, or a shape differs.
        """
        own = self.weights
        if len(own) != len(weights):
            raise TapeValueError(
                f"{self.name} has {len(own)} weights, and {len(weights)} were given."
            )
        for weight, value in zip(own, weights, strict=True):
            weight.assign(value)

    def count_params(self) -> int:
        return sum(int(weight._array.size) for weight in self.weights)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"


@cache
def _takes_training(call: Callable[..., Any]) -> bool:
    """Whether a layer's `call` has a use for `training`; few have."""
    parameters = inspect.signature(call).parameters
    kinds = {parameter.kind for parameter in parameters.values()}
    return "training" in parameters or inspect.Parameter.VAR_KEYWORD in kinds


def _layers_in(value: Any) -> Iterator[Layer]:
    if isinstance(value, Layer):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _layers_in(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _layers_in(entry)


def refuse(layer: Layer, what: str, shape: Any) -> TapeValueError:
    """The error for an input that a layer cannot take."""
    return TapeValueError(
        f"Input of layer '{layer.name}' is incompatible with the layer: {what}. "
        f"Full shape received: {tuple(shape)}",
        fix="x.shape tells what a layer gets; tf.reshape(x, [batch, features]) makes rows of features",
        code="MT507",
    )


def check_rank(layer: Layer, shape: Ints, least: int) -> None:
    """Refuse an input with fewer axes than `least`."""
    if len(shape) < least:
        raise refuse(layer, f"expected min_ndim={least}, found ndim={len(shape)}", shape)
