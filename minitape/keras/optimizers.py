"""Optimizers: what to do with a gradient.

    SGD     a step against it, with momentum if wanted
    Adam    each weight with a step size of its own

A slot is what an optimizer remembers about one variable, such as its velocity.

Source: https://keras.io/api/optimizers/
"""

import warnings
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.tensor import Tensor
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.errors import InvalidArgumentError, TapeValueError

Slots = dict[str, Array]


class Optimizer:
    """Changes variables by their gradients; `_step` says how.

    Args:
        learning_rate: How far; a number, or a function without arguments.
        name: By default that of the class.

    Source: https://keras.io/api/optimizers/
    """

    def __init__(self, learning_rate: Any = 0.001, name: str | None = None, **_: Any) -> None:
        self.name = name or type(self).__name__.lower()
        self._rate = learning_rate if callable(learning_rate) else _rate_variable(learning_rate)
        self.iterations = Variable(
            np.int64(0), trainable=False, name=f"{self.name}/iteration", dtype=dtypes.int64
        )
        self._slots: dict[int, Slots] = {}

    @property
    def learning_rate(self) -> Any:
        return self._rate() if callable(self._rate) else self._rate

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        if callable(value) or callable(self._rate):
            self._rate = value if callable(value) else _rate_variable(value)
        else:
            self._rate.assign(value)

    def apply_gradients(self, grads_and_vars: Any, name: str | None = None) -> Variable:
        """Change each variable by its gradient.

        Args:
            grads_and_vars: Pairs of gradient and variable, as `zip(gradients, variables)` makes them. A gradient may be an
                IndexedSlices. A variable whose gradient is None stays as it is, with a warning.
            name: Ignored.

        Returns:
            The counter of steps.

        Raises:
            ValueError: there is no pair, or all gradients are None.
            InvalidArgumentError: a gradient has not the shape of its variable.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise TapeValueError(
                "There are no gradients to apply: the list of pairs is empty.",
                fix="call the model once before reading model.trainable_variables: the first call makes them",
                code="MT601",
            )
        lost = [variable for gradient, variable in pairs if gradient is None]
        if len(lost) == len(pairs):
            raise TapeValueError(
                "No gradients provided for any variable.",
                fix="minitape explain script.py, which says where each got lost",
                code="MT601",
            )
        if lost:
            warnings.warn(
                f"Gradients do not exist for variables {[variable.path for variable in lost]} "
                "when minimizing the loss. minitape explain says why.",
                stacklevel=2,
            )
        self.iterations.assign_add(np.int64(1))
        for gradient, variable in pairs:
            if gradient is not None:
                slots = self._slots.setdefault(variable._id, {})
                dense = _numbers(gradient, variable)
                change = self._step(dense, _squares(gradient, dense), variable._array, slots)
                variable.assign_sub(change.astype(variable._array.dtype))
        return self.iterations

    def apply(self, grads: Any, trainable_variables: Any) -> Variable:
        """As `apply_gradients`, with two lists."""
        return self.apply_gradients(zip(grads, trainable_variables, strict=True))

    def _step(self, gradient: Array, squares: Array, value: Array, slots: Slots) -> Array:
        """What to subtract from the variable, given its gradient and that gradient squared."""
        raise NotImplementedError

    def _size_of_step(self, like: Array) -> Array:
        return like.dtype.type(float(np.asarray(self.learning_rate)))


def _rate_variable(value: Any) -> Variable:
    return Variable(value, trainable=False, name="learning_rate", dtype=dtypes.float32)


def _numbers(gradient: Any, variable: Variable) -> Array:
    dense = gradient.to_dense_tensor() if isinstance(gradient, IndexedSlices) else gradient
    tensor: Tensor = convert_to_tensor(dense, dtype_hint=variable.dtype)
    if tensor._array.shape != variable._array.shape:
        raise InvalidArgumentError(
            f"The gradient of '{variable.path}' has shape {tensor.shape}, the variable {variable.shape}.",
            fix="pair each gradient with its own variable: zip(tape.gradient(loss, variables), variables)",
            code="MT507",
        )
    return tensor._array


def _squares(gradient: Any, dense: Array) -> Array:
    """The gradient squared; of a row that was read twice, the sum of both squares, as TensorFlow has it."""
    if not isinstance(gradient, IndexedSlices):
        squares: Array = dense * dense
        return squares
    rows = IndexedSlices(gradient.values * gradient.values, gradient.indices, gradient.dense_shape)
    table: Tensor = rows.to_dense_tensor()
    return table._array


def _slot(slots: Slots, name: str, like: Array) -> Array:
    if name not in slots:
        slots[name] = np.zeros_like(like)
    return slots[name]


class SGD(Optimizer):
    """A step against the gradient.

    Args:
        learning_rate: How far.
        momentum: How much of the last step is kept; 0 for none.
        nesterov: Look at the slope ahead of the step, not under it.

    Source: https://keras.io/api/optimizers/sgd/; Sutskever et al. 2013, eq. 1-4.
    """

    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        name: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(learning_rate, name, **settings)
        self.momentum, self.nesterov = momentum, nesterov

    def _step(self, gradient: Array, squares: Array, value: Array, slots: Slots) -> Array:
        plain = self._size_of_step(value) * gradient
        if not self.momentum:
            return plain
        velocity = self.momentum * _slot(slots, "velocity", value) + plain
        slots["velocity"] = velocity
        return self.momentum * velocity + plain if self.nesterov else velocity


class Adam(Optimizer):
    """A step in units of the gradient's own size: mean over root of mean square, both fading.

    Args:
        learning_rate: About how far each weight moves.
        beta_1: How slowly the mean fades.
        beta_2: How slowly the mean square fades.
        epsilon: Keeps the quotient finite.

    Source: https://keras.io/api/optimizers/adam/; Kingma & Ba 2015, algorithm 1 in the arrangement at the end of section 2.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        name: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(learning_rate, name, **settings)
        if amsgrad:
            raise TapeValueError("minitape's Adam has no amsgrad.", fix="amsgrad=False")
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def _step(self, gradient: Array, squares: Array, value: Array, slots: Slots) -> Array:
        number = value.dtype.type
        step = number(self.iterations._array)
        mean = _slot(slots, "mean", value)
        square = _slot(slots, "square", value)
        slots["mean"] = mean + (gradient - mean) * (1 - self.beta_1)
        slots["square"] = square + (squares - square) * (1 - self.beta_2)
        # Both start at zero; this takes the weight of those zeros out again.
        unbiased = np.sqrt(1 - number(self.beta_2) ** step) / (1 - number(self.beta_1) ** step)
        rate = self._size_of_step(value) * unbiased
        return rate * slots["mean"] / (np.sqrt(slots["square"]) + number(self.epsilon))


__all__ = ["SGD", "Adam", "Optimizer"]
