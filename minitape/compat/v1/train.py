"""`tf.compat.v1.train`: the optimizers of TensorFlow 1, for eager programs.

    GradientDescentOptimizer, MomentumOptimizer, AdamOptimizer

`minimize` takes a function that computes the loss, because without a graph the value of a loss does not record how it was
computed.

Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Optimizer
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from minitape.autodiff.gradient_tape import GradientTape
from minitape.core.convert import convert_to_tensor
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.errors import TapeRuntimeError, TapeValueError
from minitape.lazy_namespace import helpful_getattr


class Optimizer:
    """Base class of the optimizers of TensorFlow 1, which computes gradients of a function and updates each variable.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Optimizer
    """

    def __init__(self, learning_rate: Any, name: str) -> None:
        self._learning_rate = learning_rate
        self._name = name
        self._slots: dict[tuple[int, str], Array] = {}

    def get_name(self) -> str:
        """Return the name of the optimizer."""
        return self._name

    def minimize(
        self,
        loss: Callable[[], Any],
        global_step: Variable | None = None,
        var_list: Iterable[Variable] | None = None,
        *,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> None:
        """Run one step: `compute_gradients`, then `apply_gradients`."""
        found = self.compute_gradients(loss, var_list, grad_loss=grad_loss)
        self.apply_gradients(found, global_step)

    def compute_gradients(
        self,
        loss: Callable[[], Any],
        var_list: Iterable[Variable] | None = None,
        *,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Variable]]:
        """Return a list of pairs (gradient, variable).

        Args:
            loss: A function without arguments, which is called under a tape.
            var_list: The variables; by default all trainable variables that `loss` reads.
            grad_loss: The cotangent (incoming gradient) of the loss; ones by default.

        Raises:
            RuntimeError: `loss` is not a function.
        """
        if not callable(loss):
            raise TapeRuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled.",
                fix="optimizer.minimize(lambda: loss_of(model(x), y))",
            )
        with GradientTape() as tape:
            value = loss()
        variables = list(tape.watched_variables() if var_list is None else var_list)
        gradients = tape.gradient(value, variables, grad_loss)
        return list(zip(gradients, variables, strict=True))

    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[Any, Variable]],
        global_step: Variable | None = None,
        name: str | None = None,
    ) -> None:
        """Update each variable whose gradient is not None, and increment `global_step`.

        Raises:
            ValueError: all gradients are None.
        """
        pairs = [
            (gradient, variable) for gradient, variable in grads_and_vars if gradient is not None
        ]
        if not pairs:
            raise TapeValueError(
                "No gradients provided for any variable.",
                fix="a loss that reads the variables, inside the tape",
                code="MT101",
            )
        rate = self._learning_rate() if callable(self._learning_rate) else self._learning_rate
        for gradient, variable in pairs:
            step = float(convert_to_tensor(rate)._array)
            variable.assign_sub(self._step(variable, *_dense(gradient), rate=step))
        self._finish()
        if global_step is not None:
            global_step.assign_add(1)

    def _step(self, variable: Variable, gradient: Array, rows: Array | None, rate: float) -> Array:
        """Return the value to subtract from the variable; `rows` are the rows of a sparse gradient, or None for all rows."""
        raise NotImplementedError

    def _finish(self) -> None:
        """Update state after all variables have been updated."""

    def _slot(self, variable: Variable, name: str) -> Array:
        """Return an array that the optimizer keeps for a variable from step to step; it initially contains zeros."""
        return self._slots.setdefault((variable._id, name), np.zeros_like(variable._array))


def _dense(gradient: Any) -> tuple[Array, Array | None]:
    array = convert_to_tensor(gradient)._array
    if not isinstance(gradient, IndexedSlices):
        return array, None
    return array, np.unique(convert_to_tensor(gradient.indices)._array)


class GradientDescentOptimizer(Optimizer):
    """Update variables by gradient descent, v ← v − rate·v̄.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/GradientDescentOptimizer
    """

    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent"
    ) -> None:
        super().__init__(learning_rate, name)

    def _step(self, variable: Variable, gradient: Array, rows: Array | None, rate: float) -> Array:
        return gradient * gradient.dtype.type(rate)


class MomentumOptimizer(Optimizer):
    """Update variables with momentum: m ← momentum·m + v̄, v ← v − rate·m; a Nesterov step is rate·(v̄ + momentum·m).

    A sparse gradient changes only its rows.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/MomentumOptimizer
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(learning_rate, name)
        self._momentum = momentum
        self._is_nesterov = use_nesterov

    def _step(self, variable: Variable, gradient: Array, rows: Array | None, rate: float) -> Array:
        kind = gradient.dtype.type
        momentum = kind(self._momentum() if callable(self._momentum) else self._momentum)
        moving = ... if rows is None else rows
        slot, step = self._slot(variable, "momentum"), np.zeros_like(gradient)
        slot[moving] = momentum * slot[moving] + gradient[moving]
        ahead = gradient + momentum * slot if self._is_nesterov else slot
        step[moving] = kind(rate) * ahead[moving]
        return step


class AdamOptimizer(Optimizer):
    """Update variables: v ← v − rate·√(1 − β₂ᵗ)/(1 − β₁ᵗ)·m/(√s + ε), with the running means m of v̄ and s of v̄².

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/AdamOptimizer
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(learning_rate, name)
        self._beta1, self._beta2, self._epsilon = beta1, beta2, epsilon
        self._steps = 1

    def _step(self, variable: Variable, gradient: Array, rows: Array | None, rate: float) -> Array:
        kind = gradient.dtype.type
        mean, square = self._slot(variable, "m"), self._slot(variable, "v")
        mean += (gradient - mean) * kind(1 - self._beta1)
        square += (gradient * gradient - square) * kind(1 - self._beta2)
        t = self._steps
        rate = rate * np.sqrt(1 - self._beta2**t) / (1 - self._beta1**t)
        return kind(rate) * mean / (np.sqrt(square) + kind(self._epsilon))

    def _finish(self) -> None:
        self._steps += 1


__getattr__ = helpful_getattr(__name__)

__all__ = ["AdamOptimizer", "GradientDescentOptimizer", "MomentumOptimizer", "Optimizer"]
