"""Models: layers made of layers.

    Model          give it layers as attributes, and a `call` that uses them
    Sequential     layers one after the other
    Functional     layers drawn as a graph, from `Input` to what they answer: Model(inputs, outputs)

Source: https://keras.io/api/models/
"""

from typing import Any

from minitape.core import nest
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.keras.layers.core import InputLayer
from minitape.keras.layers.layer import Layer, names
from minitape.keras.layers.symbol import Symbol, symbols_in, with_values
from minitape.keras.training.trainer import Trainer
from minitape.ops.making import zeros


class Model(Trainer, Layer):
    """Base of models: give it layers as attributes, and a `call` that uses them.

    `Model(inputs, outputs)`, without a class of its own, is a model that was drawn: see `Functional`.

    `compile` and `fit` train it; what they do with a batch is `train_step`, a few lines around a tape (keras/training/steps.py).

    Source: https://keras.io/api/models/model/
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> "Model":
        is_drawn = cls is Model and (args or "inputs" in kwargs)
        return object.__new__(Functional if is_drawn else cls)

    @property
    def layers(self) -> list[Layer]:
        return self._sublayers()

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """The layer of that name, or at that place.

        Raises:
            ValueError: there is none.
        """
        if index is not None and index < len(self.layers):
            return self.layers[index]
        for layer in self.layers:
            if name is not None and layer.name == name:
                return layer
        raise TapeValueError(
            f"Model '{self.name}' has no layer {name if index is None else index!r}.",
            fix="model.get_layer(name) with one of " + ", ".join(each.name for each in self.layers),
        )

    def summary(self) -> None:
        """Print the layers and how many weights each has."""
        print(f'Model: "{self.name}"')
        for layer in self.layers:
            print(f"  {layer.name:<24} {type(layer).__name__:<14} {layer.count_params():>10}")
        print(f"  {'in all':<39} {self.count_params():>10}")


class Sequential(Model):
    """Layers one after the other.

    Args:
        layers: The layers; an `Input` first builds all weights at once, else the first call does.
        name: By default "sequential", numbered.

    Source: https://keras.io/api/models/sequential/
    """

    def __init__(self, layers: Any = None, trainable: bool = True, name: str | None = None) -> None:
        super().__init__(name=name, trainable=trainable)
        self._layers: list[Layer] = []
        for layer in layers or []:
            self.add(layer)

    @property
    def layers(self) -> list[Layer]:
        return [layer for layer in self._layers if not isinstance(layer, InputLayer)]

    def add(self, layer: Any) -> None:
        """Put a layer at the end; what `Input` gives counts as one.

        Raises:
            ValueError: it is no layer.
        """
        if type(layer) is Symbol:
            layer = layer.layer
        if not isinstance(layer, Layer):
            raise TapeValueError(
                f"Only instances of `keras.Layer` can be added to a Sequential model. Received: {layer!r}",
                fix="tf.keras.layers.Lambda(function) for a function",
            )
        self._layers.append(layer)
        self.built = False
        shape = getattr(self._layers[0], "input_shape", None)
        if shape is not None and None not in shape:
            self._build_with((1, *shape))

    def _build_with(self, shape: Any) -> None:
        """Run zeros through, for the layers to learn their sizes."""
        first = self._layers[0]
        self(zeros(shape, first.dtype))

    def build(self, input_shape: Any) -> None:
        self.built = True
        if not names.inside:
            self._build_with((1, *tuple(input_shape)[1:]))

    def pop(self) -> Layer:
        """Take the last layer away."""
        return self._layers.pop()

    def call(self, inputs: Value, training: Any = None) -> Value:
        value = inputs
        for layer in self._layers:
            value = layer(value, training=training)
        return value


class Functional(Model):
    """Layers drawn as a graph: a call goes from the inputs to the outputs, each layer after those that it needs.

    Args:
        inputs: What `Input` gave; one, or a structure of them. A call takes values in the same structure.
        outputs: What layers answered; one, or a structure of them.
        name: By default "functional", numbered.

    Raises:
        ValueError: an output depends on an input that is not among `inputs`.

    Source: https://keras.io/guides/functional_api/
    """

    def __init__(
        self, inputs: Any, outputs: Any, name: str | None = None, trainable: bool = True
    ) -> None:
        super().__init__(name=name, trainable=trainable)
        self.inputs, self.outputs = inputs, outputs
        self._steps = _steps_between(symbols_in(inputs), symbols_in(outputs))
        self._drawn_layers = [symbol.layer for symbol in self._steps]
        self.built = True

    @property
    def output_names(self) -> list[str]:
        """What its outputs are called: the layers that they come from."""
        return [symbol.name for symbol in symbols_in(self.outputs)]

    @property
    def input(self) -> Any:
        return self.inputs

    @property
    def output(self) -> Any:
        return self.outputs

    @property
    def layers(self) -> list[Layer]:
        return [symbol.layer for symbol in symbols_in(self.inputs)] + self._sublayers()

    def call(self, inputs: Any) -> Any:
        starts = symbols_in(self.inputs)
        given = nest.flatten(inputs)
        if len(given) != len(starts):
            raise TapeValueError(
                f"Model '{self.name}' has {len(starts)} inputs, and was given {len(given)}."
            )
        values = {symbol.number: value for symbol, value in zip(starts, given, strict=True)}
        answers: dict[int, Any] = {}
        for symbol in self._steps:
            call = id(symbol.given)  # several symbols may be parts of one answer
            if call not in answers:
                args, settings = with_values(symbol.given, lambda each: values[each.number])
                answers[call] = symbol.layer(*args, **settings)
            answer = answers[call]
            values[symbol.number] = answer if symbol.part is None else answer[symbol.part]
        return with_values(self.outputs, lambda symbol: values[symbol.number])


def _steps_between(inputs: list[Symbol], outputs: list[Symbol]) -> list[Symbol]:
    """The symbols on the way from the inputs to the outputs, in the order in which they were drawn."""
    known = {symbol.number for symbol in inputs}
    needed: dict[int, Symbol] = {}
    waiting = list(outputs)
    while waiting:
        symbol = waiting.pop()
        if symbol.number in known or symbol.number in needed:
            continue
        if symbol.given is None:
            raise TapeValueError(
                f"An output depends on the input '{symbol.name}', which is not among the inputs.",
                fix="Model(inputs=[...], outputs=...) with every Input that was used",
            )
        needed[symbol.number] = symbol
        waiting.extend(symbols_in(symbol.given))
    return [needed[number] for number in sorted(needed)]


__all__ = ["Functional", "Model", "Sequential"]
