"""What a layer owns: its weights, the layers inside it, and what they say of the loss.

Source: https://keras.io/api/layers/base_layer/
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.keras.layers.weights import Weight
from minitape.keras.naming import names


class Owner:
    """The half of a layer that owns weights.

    Layers among the attributes, in lists, tuples and dicts too, are found by themselves, in the order in which they were
    set. A plain `tf.Variable` among them is not: as in Keras 3, it is no weight.
    """

    name: str
    built: bool
    dtype: dtypes.DType
    _trainable: bool
    _added_losses: list[Any]

    def add_loss(self, loss: Any) -> None:
        """Put a number, or a list of them, on the list of `losses`; the next call begins a new list."""
        self._added_losses.extend(loss if isinstance(loss, list | tuple) else [loss])

    def _path(self) -> list[str]:
        inside = names.inside
        path = inside if inside and inside[-1] == self.name else [*inside, self.name]
        return [name for name in path if name]  # a layer called "" stands in no path

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
        """All weights, each once: its own first, the trainable ones before the others, then those of its layers."""
        own = sorted(self.__dict__.get("_own_weights", ()), key=lambda weight: not weight.may_train)
        found = {weight._id: weight for weight in own}
        for layer in self._sublayers():
            for weight in layer.weights:
                found.setdefault(weight._id, weight)
        return list(found.values())

    def _sublayers(self) -> list["Owner"]:
        found: dict[int, Owner] = {}
        for name, value in vars(self).items():
            for layer in _layers_in(value) if name not in _NO_LAYERS else ():
                found.setdefault(id(layer), layer)
        return list(found.values())

    @property
    def losses(self) -> list[Value]:
        """What `add_loss` was given, then what regularizers say of the trainable weights as they are now."""
        regularized = (each for each in self.trainable_weights if isinstance(each, Weight))
        penalties = [each.regularizer(each) for each in regularized if each.regularizer is not None]
        return self._all_added_losses() + penalties

    def _all_added_losses(self) -> list[Value]:
        deeper = (layer._all_added_losses() for layer in self._sublayers())
        return list(chain(self._added_losses, *deeper))

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
                f"Layer '{self.name}' has {len(own)} weights, and {len(weights)} were given.",
                fix="layer.build(shape of the input) first" if not self.built else None,
            )
        for weight, value in zip(own, weights, strict=True):
            if tuple(weight.shape) != np.shape(value):
                raise TapeValueError(
                    f"Layer {self.name} weight shape {tuple(weight.shape)} is not compatible with provided weight "
                    f"shape {np.shape(value)}.",
                    fix="weights in the order of layer.weights, each in its own shape",
                )
        for weight, value in zip(own, weights, strict=True):
            weight.assign(np.asarray(value, weight.dtype.numpy))

    def count_params(self) -> int:
        """How many numbers the weights have.

        Raises:
            ValueError: there are none yet.
        """
        if not self.built:
            raise TapeValueError(
                f"You tried to call `count_params` on layer '{self.name}', but the layer isn't built.",
                fix="layer.build(input_shape)",
            )
        return sum(int(weight._array.size) for weight in self.weights)


# Attributes that hold what others own.
_NO_LAYERS = frozenset({"_made_with", "_drawn"})


def _layers_in(value: Any) -> Iterator[Owner]:
    if isinstance(value, Owner):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _layers_in(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _layers_in(entry)
