"""Layers: functions that own their weights.

    Layer                   the base: weights are made when the first input shows how large they must be
    Dense, Embedding        with weights
    Activation, Flatten, Dropout, Lambda, Input    without

Source: https://keras.io/api/layers/
"""

import inspect
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import ArrayFace
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.keras import activations, initializers
from minitape.ops import random
from minitape.ops.passing import cast
from minitape.ops.picking import gather
from minitape.ops.shaping import reshape


class _Names:
    """Names given so far, and the layers that are being built or called just now, the outermost first."""

    def __init__(self) -> None:
        self.given: Counter[str] = Counter()
        self.inside: list[str] = []

    def next_for(self, kind: type) -> str:
        spaced = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", kind.__name__)
        stem = re.sub(r"([a-z])([A-Z])", r"\1_\2", spaced).lower()
        number = self.given[stem]
        self.given[stem] += 1
        return f"{stem}_{number}" if number else stem


names = _Names()


class Weight(Variable):
    """A variable of a layer.

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
    def may_train(self) -> bool:
        return self._trainable


class Layer:
    """A function with weights: `build` makes them, `call` computes with them.

    Weights come from `add_weight`. Layers among the attributes, in lists, tuples and dicts too, are found by themselves, in
    the order in which they were set. A plain `tf.Variable` among them is not: as in Keras 3, it is no weight.

    Args:
        name: By default the name of the class, numbered.
        trainable: Whether its weights, and those of its layers, count as trainable.
        dtype: Of weights, and of float inputs; float32 by default.

    Source: https://keras.io/api/layers/base_layer/
    """

    def __init__(
        self, *, name: str | None = None, trainable: bool = True, dtype: Any = None, **_: Any
    ) -> None:
        self.name = name or names.next_for(type(self))
        self._trainable = trainable
        self.dtype = dtypes.as_dtype(dtype or dtypes.float32)
        self.built = False

    # --- for those who write layers ---

    def build(self, input_shape: Any) -> None:
        """Make the weights; called once, with the shape of the first input."""

    def call(self, inputs: Any) -> Any:
        """Compute the output."""
        raise NotImplementedError(f"{type(self).__name__} has no `call(self, inputs)`.")

    def add_weight(
        self,
        shape: Any = (),
        initializer: Any = None,
        dtype: Any = None,
        trainable: bool = True,
        name: str | None = None,
        **_: Any,
    ) -> Variable:
        """A new weight of this layer.

        Args:
            shape: Its shape.
            initializer: Its first value; glorot_uniform by default, zeros for whole numbers.
            dtype: That of the layer by default.
            trainable: False for state that no gradient changes: a tape does not watch it by itself.
            name: Its own name; the path of the layer is put before it.
        """
        wanted = dtypes.as_dtype(dtype or self.dtype)
        first = initializer or ("glorot_uniform" if wanted.is_floating else "zeros")
        value = initializers.get(first)(shape, dtype=wanted)
        path = "/".join([*self._path(), name or "variable"])
        weight = Weight(value, may_train=trainable, counts=self._trainable, name=path, dtype=wanted)
        self.__dict__.setdefault("_own_weights", []).append(weight)
        return weight

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
        ready = [self._input(value) for value in args]
        names.inside.append(self.name)
        try:
            if not self.built:
                self._build_for(ready)
            return self.call(*ready, **self._known_settings(kwargs))
        finally:
            names.inside.pop()

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

    def _known_settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        """`training` goes to every layer, and few have a use for it."""
        if "training" not in settings or self.takes_training():
            return settings
        return {key: value for key, value in settings.items() if key != "training"}

    @classmethod
    def takes_training(cls) -> bool:
        parameters = inspect.signature(cls.call).parameters
        kinds = {parameter.kind for parameter in parameters.values()}
        return "training" in parameters or inspect.Parameter.VAR_KEYWORD in kinds

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


def _layers_in(value: Any) -> Iterator[Layer]:
    if isinstance(value, Layer):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _layers_in(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _layers_in(entry)


def _refuse(layer: Layer, what: str, shape: Any) -> TapeValueError:
    return TapeValueError(
        f"Input of layer '{layer.name}' is incompatible with the layer: {what}. "
        f"Full shape received: {tuple(shape)}",
        fix="x.shape tells what a layer gets; tf.reshape(x, [batch, features]) makes rows of features",
        code="MT507",
    )


class Dense(Layer):
    """activation(inputs @ kernel + bias).

    Args:
        units: How many outputs.
        activation: A function or its name; none by default.
        use_bias: Whether to add one.
        kernel_initializer: First value of the kernel, shape [inputs, units].
        bias_initializer: First value of the bias, shape [units].

    Source: https://keras.io/api/layers/core_layers/dense/
    """

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        *,
        input_shape: Any = None,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.units = int(units)
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.bias: Variable | None = None
        self.input_shape = None if input_shape is None else tuple(input_shape)

    def build(self, input_shape: Any) -> None:
        size = input_shape[-1]
        self.kernel = self.add_weight((size, self.units), self.kernel_initializer, name="kernel")
        if self.use_bias:
            self.bias = self.add_weight((self.units,), self.bias_initializer, name="bias")
        self.built = True

    def call(self, inputs: Value) -> Value:
        if len(inputs.shape) < 2:
            found = f"expected min_ndim=2, found ndim={len(inputs.shape)}"
            raise _refuse(self, found, inputs.shape)
        if inputs.shape[-1] != self.kernel.shape[0]:
            raise _refuse(
                self,
                f"expected axis -1 of input shape to have value {self.kernel.shape[0]}",
                inputs.shape,
            )
        y = cast(inputs, self.dtype) @ self.kernel
        return self.activation(y if self.bias is None else y + self.bias)

    def _build_for(self, inputs: list[Any]) -> None:
        if len(inputs[0].shape) < 2:
            found = f"expected min_ndim=2, found ndim={len(inputs[0].shape)}"
            raise _refuse(self, found, inputs[0].shape)
        super()._build_for(inputs)


class Embedding(Layer):
    """Rows of a table by number: the gradient of the table is an IndexedSlices of the rows that were read.

    Args:
        input_dim: How many rows.
        output_dim: How long each is.
        embeddings_initializer: First value of the table.

    Source: https://keras.io/api/layers/core_layers/embedding/
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: Any = "uniform",
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.input_dim, self.output_dim = int(input_dim), int(output_dim)
        self.embeddings_initializer = initializers.get(embeddings_initializer)

    def build(self, input_shape: Any) -> None:
        shape = (self.input_dim, self.output_dim)
        self.embeddings = self.add_weight(shape, self.embeddings_initializer, name="embeddings")

    def call(self, inputs: Value) -> Value:
        return gather(self.embeddings, cast(inputs, dtypes.int32))


class Activation(Layer):
    """A function as a layer.

    Source: https://keras.io/api/layers/core_layers/activation/
    """

    def __init__(self, activation: Any, **settings: Any) -> None:
        super().__init__(**settings)
        self.activation = activations.get(activation)

    def call(self, inputs: Value) -> Value:
        return self.activation(inputs)


class ReLU(Activation):
    """`relu` as a layer."""

    def __init__(self, **settings: Any) -> None:
        super().__init__("relu", **settings)


class Softmax(Activation):
    """`softmax` over the last axis as a layer."""

    def __init__(self, **settings: Any) -> None:
        super().__init__("softmax", **settings)


class Flatten(Layer):
    """Each example of the batch as one row.

    Source: https://keras.io/api/layers/reshaping_layers/flatten/
    """

    def __init__(self, *, input_shape: Any = None, **settings: Any) -> None:
        super().__init__(**settings)
        self.input_shape = None if input_shape is None else tuple(input_shape)

    def call(self, inputs: Value) -> Value:
        shape = tuple(inputs.shape)
        return reshape(inputs, (shape[0], int(np.prod(shape[1:], dtype=np.int64))))


class Dropout(Layer):
    """While training, zeros for a random share of the inputs, and the others enlarged so that the sum is kept.

    Args:
        rate: Which share, from 0 to 1.
        seed: Of the random numbers.

    Raises:
        ValueError: `rate` is no share.

    Source: https://keras.io/api/layers/regularization_layers/dropout/; Srivastava et al. 2014.
    """

    def __init__(
        self, rate: float, noise_shape: Any = None, seed: Any = None, **settings: Any
    ) -> None:
        super().__init__(**settings)
        if not 0 <= rate <= 1:
            raise TapeValueError(
                f"Invalid value received for argument `rate`: {rate}", fix="a share from 0 to 1"
            )
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs: Value, training: Any = False) -> Value:
        if not training or not self.rate:
            return inputs
        if self.rate == 1:
            return inputs * 0.0
        shape = self.noise_shape or inputs.shape
        kept = random.uniform(shape, seed=self.seed) >= self.rate
        return inputs * cast(kept, inputs.dtype) / (1.0 - self.rate)


class Lambda(Layer):
    """A function of the user's as a layer.

    Source: https://keras.io/api/layers/core_layers/lambda/
    """

    def __init__(self, function: Any, **settings: Any) -> None:
        super().__init__(**settings)
        self.function = function

    def call(self, inputs: Value) -> Value:
        return self.function(inputs)


class InputLayer(Layer):
    """Says what shape one example has, so that a Sequential is built at once."""

    def __init__(self, shape: Any = None, *, input_shape: Any = None, **settings: Any) -> None:
        super().__init__(**settings)
        self.input_shape = tuple(shape if shape is not None else input_shape or ())

    def call(self, inputs: Value) -> Value:
        return inputs


def Input(shape: Any = None, dtype: Any = None, name: str | None = None, **_: Any) -> InputLayer:  # noqa: N802  # Keras spells it so
    """The shape of one example, as the first entry of a Sequential.

    Unlike TensorFlow, it is no symbolic tensor: the functional API is not there.

    Source: https://keras.io/api/layers/core_layers/input/
    """
    return InputLayer(shape, dtype=dtype, name=name)
