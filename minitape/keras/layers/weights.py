"""Weight: a variable of a layer.

Source: https://keras.io/api/layers/base_layer/#variables-property
"""

from typing import Any

from minitape.core.variable import Variable
from minitape.keras.naming import names


class Weight(Variable):
    """A variable of a layer.

    As in Keras, `name` is its own name, and `path` begins with that of its layer. Whether it counts as trainable may
    change. A tape watches it all the same, as with Keras: freezing takes a weight off the list that an optimizer gets,
    and not off the tape.

    `constraint` is a function that brings its value back into bounds, which an optimizer calls after each update;
    `regularizer` one that prices it, among the `losses` of its layer. None if there is none.
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
        self._counts = may_train and counts  # first, for a listener that hears of the variable asks
        self.regularizer = regularizer
        super().__init__(value, trainable=may_train, name=name, dtype=dtype, constraint=constraint)
        if names.drawing:
            names.made.append((self, self._array))

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
