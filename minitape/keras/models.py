"""Models: layers made of layers.

Source: https://keras.io/api/models/
"""

from typing import Any

from minitape.core.values import Value
from minitape.errors import TapeTypeError, TapeValueError
from minitape.keras.layers import InputLayer, Layer, names
from minitape.ops.making import zeros


class Model(Layer):
    """Base of models: give it layers as attributes, and a `call` that uses them.

    Unlike TensorFlow, there is no `compile` and no `fit`: the training loop is written out, with a tape.

    Source: https://keras.io/api/models/model/
    """

    @property
    def layers(self) -> list[Layer]:
        return self._sublayers()

    def summary(self) -> None:
        """Print the layers and how many weights each has."""
        print(f'Model: "{self.name}"')
        for layer in self.layers:
            print(f"  {layer.name:<24} {type(layer).__name__:<14} {layer.count_params():>10}")
        print(f"  {'in all':<39} {self.count_params():>10}")

    def compile(self, *args: Any, **kwargs: Any) -> None:
        raise _no_fit("compile")

    def fit(self, *args: Any, **kwargs: Any) -> None:
        raise _no_fit("fit")


def _no_fit(name: str) -> TapeTypeError:
    return TapeTypeError(
        f"minitape has no Model.{name}: it is there to show what happens inside.",
        fix="with tf.GradientTape() as tape: loss = ...; grads = tape.gradient(loss, model.trainable_variables); "
        "optimizer.apply_gradients(zip(grads, model.trainable_variables))",
        code="MT902",
    )


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

    def add(self, layer: Layer) -> None:
        """Put a layer at the end.

        Raises:
            ValueError: it is no layer.
        """
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
            value = layer(value, training=training) if layer.takes_training() else layer(value)
        return value


__all__ = ["Model", "Sequential"]
