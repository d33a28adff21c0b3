"""Track what a layer owns: its weights, the layers inside it, and the losses that they add.

Source: https://keras.io/api/layers/base_layer/
"""

from collections.abc import Iterable, Mapping
from operator import is_
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.keras.layers.weights import Weight
from minitape.keras.metrics import Metric
from minitape.keras.naming import names


class WeightOwner:
    """Base class of `Layer` that tracks the weights.

    Layers among the attributes, even inside lists, tuples and dicts, are found automatically, in the order in which they
    were set. As in Keras 3, a plain `tf.Variable` is not a weight and is not tracked.

    The search runs once, and again when an attribute is set or deleted, or when a list or dict among the attributes has
    changed.
    """

    name: str
    built: bool
    dtype: dtypes.DType
    _trainable: bool
    _added_losses: list[Any]
    _own_weights: tuple[Weight, ...] = ()  # trainable weights first
    _held: "TrackedChildren | None" = None  # the tracked objects; None before the next search

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        self.__dict__["_held"] = None

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        self.__dict__["_held"] = None

    def _own(self, weight: Weight) -> None:
        own = (*self._own_weights, weight)
        self._own_weights = tuple(sorted(own, key=lambda each: not each.may_train))

    def add_loss(self, loss: Any) -> None:
        """Add a scalar loss, or a list of scalar losses, to `losses`; the next call to the layer starts a new list.

        Args:
            loss: A scalar tensor, or a list of scalar tensors.
        """
        self._added_losses.extend(loss if isinstance(loss, list | tuple) else [loss])

    def _path(self) -> list[str]:
        inside = names.inside
        path = inside if inside and inside[-1] == self.name else [*inside, self.name]
        return [name for name in path if name]  # a layer named "" does not appear in a path

    @property
    def trainable(self) -> bool:
        """Return whether the weights are trainable; setting it applies to all layers inside."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)
        for weight in self._own_weights:
            weight.trainable = weight.may_train and self._trainable
        for layer in self._sublayers():
            layer.trainable = value

    @property
    def weights(self) -> list[Variable]:
        """Return all weights once: the layer's own (trainable ones first), then the weights of the layers inside it."""
        found: list[Variable] = list(self._own_weights)
        layers = self._holdings().layers
        if not layers:
            return found
        for layer in layers:
            found += layer.weights
        return list({id(weight): weight for weight in found}.values())

    def _sublayers(self) -> list["WeightOwner"]:
        return self._holdings().layers

    def _holdings(self) -> "TrackedChildren":
        held = self._held
        if held is None or (held.containers and not held.is_fresh()):
            given = [value for name, value in vars(self).items() if name not in _NO_LAYERS]
            held = self.__dict__["_held"] = TrackedChildren(given)
        return held

    @property
    def losses(self) -> list[Value]:
        """Return the losses that `add_loss` received, then the penalties of the regularizers on the current trainable weights."""
        penalties = [
            each.regularizer(each)
            for each in self.trainable_weights
            if isinstance(each, Weight) and each.regularizer is not None
        ]
        return self._all_added_losses() + penalties

    def _all_added_losses(self) -> list[Value]:
        found = list(self._added_losses)
        for layer in self._holdings().layers:
            found += layer._all_added_losses()
        return found

    def _forget_added_losses(self) -> None:
        if self._added_losses:
            self._added_losses.clear()
        for layer in self._holdings().layers:
            layer._forget_added_losses()

    @property
    def variables(self) -> list[Variable]:
        """Return all weights, like `weights`."""
        return self.weights

    @property
    def trainable_weights(self) -> list[Variable]:
        """Return the weights that training updates; the list is empty if the layer is not trainable."""
        return [weight for weight in self.weights if weight.trainable] if self._trainable else []

    @property
    def trainable_variables(self) -> list[Variable]:
        """Return the weights that training updates, like `trainable_weights`."""
        return self.trainable_weights

    @property
    def non_trainable_weights(self) -> list[Variable]:
        """Return the weights that training does not update."""
        trained = {weight._id for weight in self.trainable_weights}
        return [weight for weight in self.weights if weight._id not in trained]

    @property
    def non_trainable_variables(self) -> list[Variable]:
        """Return the weights that training does not update, like `non_trainable_weights`."""
        return self.non_trainable_weights

    def get_weights(self) -> list[Any]:
        """Return the values of all weights.

        Returns:
            A list of arrays, in the order of `weights`.
        """
        return [weight.numpy() for weight in self.weights]

    def set_weights(self, weights: Any) -> None:
        """Set the values of all weights.

        Args:
            weights: List of arrays, in the order and with the shapes of `weights`.

        Raises:
            ValueError: the number of arrays, or the shape of an array, does not match the weights.
        """
        own = self.weights
        if len(own) != len(weights):
            raise TapeValueError(
                f"Layer '{self.name}' has {len(own)} weights, but `set_weights` received {len(weights)}.",
                fix="call `layer.build(input_shape)` first" if not self.built else None,
            )
        for weight, value in zip(own, weights, strict=True):
            if tuple(weight.shape) != np.shape(value):
                raise TapeValueError(
                    f"Layer {self.name} weight shape {tuple(weight.shape)} is not compatible with provided weight "
                    f"shape {np.shape(value)}.",
                    fix="pass arrays in the order of `layer.weights`, each with the shape of its weight",
                )
        for weight, value in zip(own, weights, strict=True):
            weight.assign(np.asarray(value, weight.dtype.numpy))

    def count_params(self) -> int:
        """Return the number of elements of all weights.

        Returns:
            An int.

        Raises:
            ValueError: the layer is not built.
        """
        if not self.built:
            raise TapeValueError(
                f"You tried to call `count_params` on layer '{self.name}', but the layer isn't built.",
                fix="call `layer.build(input_shape)`",
            )
        return sum(int(weight._array.size) for weight in self.weights)


# The search skips these attributes, because they hold objects that this layer does not own, or no layers at all.
_NO_LAYERS = frozenset(
    {
        *("_made_with", "_drawn", "_held", "_added_losses", "_symbols"),
        *("_first_shapes", "_loss_tracker", "_compile_metrics"),
    }
)


class TrackedChildren:
    """The layers and metrics among some values and inside their lists, tuples and dicts, in order and without duplicates."""

    __slots__ = ("containers", "layers", "metrics")

    def __init__(self, values: Iterable[Any]) -> None:
        self.containers: list[
            tuple[Any, list[Any]]
        ] = []  # each list or dict, with its entries at the time of the search
        found: dict[int, Any] = {}
        self._look(values, found)
        self.layers = [each for each in found.values() if isinstance(each, WeightOwner)]
        self.metrics = [each for each in found.values() if isinstance(each, Metric)]

    def _look(self, values: Iterable[Any], found: dict[int, Any]) -> None:
        for value in values:
            if isinstance(value, WeightOwner | Metric):
                found[id(value)] = value
            elif isinstance(value, tuple):
                self._look(value, found)
            elif isinstance(value, list | Mapping):
                entries = _entries(value)
                self.containers.append((value, entries))
                self._look(entries, found)

    def is_fresh(self) -> bool:
        """Return whether the lists and dicts still have the same entries."""
        for container, entries in self.containers:
            if len(container) != len(entries) or not all(map(is_, _entries(container), entries)):
                return False
        return True


def _entries(container: Any) -> list[Any]:
    return list(container if isinstance(container, list) else container.values())
