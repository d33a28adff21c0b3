"""`Weight`: a variable of a layer.

Source: https://keras.io/api/layers/base_layer/#variables-property
"""

from typing import Any

from minitape.core.variable import Variable
from minitape.keras.naming import names


class Weight(Variable):
    """A variable of a layer.

    As in Keras, `name` is the last part of `path`, which starts with the path of the layer. `trainable` may change. Freezing
    a weight removes it from `trainable_weights`, but a tape still watches it, as in Keras.

    `constraint` is a function that an optimizer applies to the value after each update, and `regularizer` a function
    whose result is added to the `losses` of the layer; `constraint` and `regularizer` may be None.
    """

    __slots__ = ("_counts", "regularizer")

    def __init__(
        self,
        value: Any,
        *,
        may_train: bool,
        counts: bool,
        name: str,
        dtype: Any,
        regularizer: Any = None,
        constraint: Any = None,
    ) -> None:
        self._counts = (
            may_train and counts
        )  # set first, because listeners read it when they are notified of the new variable
        self.regularizer = regularizer
        super().__init__(value, trainable=may_train, name=name, dtype=dtype, constraint=constraint)
        if names.drawing:
            names.made.append((self, self._array))

    @property
    def trainable(self) -> bool:
        """Return whether the weight is in its layer's `trainable_weights`."""
        return self._counts

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._counts = bool(value)

    @property
    def name(self) -> str:
        """Return the last part of the path."""
        return self.path.rsplit("/", 1)[-1]

    @property
    def may_train(self) -> bool:
        """Return whether the weight was created as trainable, regardless of whether it was frozen later."""
        return self._trainable

    def __deepcopy__(self, memo: Any) -> "Weight":
        copy = Weight(
            self._array,
            may_train=self.may_train,
            counts=self._counts,
            name=self._path,
            dtype=self.dtype,
            regularizer=self.regularizer,
            constraint=self._constraint,
        )
        copy._path, copy._name = self._path, self._name
        memo[id(self)] = copy
        return copy

    def __repr__(self) -> str:
        about = f"path={self.path}, shape={self.shape}, dtype={self.dtype.name}"
        return f"<Variable {about}, value={self._array}>"
