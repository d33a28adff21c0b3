"""Optimizers: what to do with a gradient.

    SGD             a step against it, with momentum if wanted
    Adagrad         shorter steps where much was walked already
    RMSprop         steps in units of the gradient's usual size
    Adam, AdamW     the same, along its usual direction; AdamW also shrinks the weights

A slot is what an optimizer remembers about one variable, such as its velocity. In the formulas g is the gradient, θ the
variable, η the learning rate.

Source: https://keras.io/api/optimizers/
"""

import warnings
from functools import cached_property
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.values import Array, Ints
from minitape.core.variable import Variable
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.keras import schedules
from minitape.missing.known import Known
from minitape.ops.picking import unsorted_rows

Slots = dict[str, Array]


class Gradient:
    """A gradient as numbers: those of the whole variable, or those of some `rows` of it."""

    def __init__(self, numbers: Array, rows: Array | None, shape: Ints) -> None:
        self._numbers, self._rows, self._shape = numbers, rows, shape

    @cached_property
    def dense(self) -> Array:
        return self._in_place(self._numbers)

    @cached_property
    def squared(self) -> Array:
        """Its square; of a row that was read twice, the sum of both squares, as TensorFlow has it."""
        return self._in_place(self._numbers * self._numbers)

    def _in_place(self, numbers: Array) -> Array:
        if self._rows is None:
            return numbers
        return unsorted_rows(numbers, self._rows, shape=self._shape)

    @property
    def length(self) -> Array:
        return np.sqrt((self._numbers * self._numbers).sum())

    def times(self, factor: Any) -> "Gradient":
        return Gradient(self._numbers * factor, self._rows, self._shape)

    def within(self, limit: float) -> "Gradient":
        return Gradient(np.clip(self._numbers, -limit, limit), self._rows, self._shape)


def _gradient_of(variable: Variable, given: Any) -> Gradient:
    shape = variable._array.shape
    if isinstance(given, IndexedSlices):
        values, rows = convert_to_tensor(given.values), convert_to_tensor(given.indices)
        return Gradient(values._array, rows._array, shape)
    tensor = convert_to_tensor(given, dtype_hint=variable.dtype)
    if tensor._array.shape != shape:
        raise InvalidArgumentError(
            f"The gradient of '{variable.path}' has shape {tensor.shape}, the variable {variable.shape}.",
            fix="pair each gradient with its own variable: zip(tape.gradient(loss, variables), variables)",
            code="MT507",
        )
    return Gradient(tensor._array.astype(variable._array.dtype, copy=False), None, shape)


class Optimizer(Known):
    """Changes variables by their gradients; `_step` says how.

    Args:
        learning_rate: How far; a number, a schedule, or a function without arguments.
        weight_decay: Before each step, take this share, times the learning rate, off the variables.
        clipnorm: No gradient is longer than this; a longer one is shortened.
        clipvalue: No number of a gradient is further from 0 than this.
        global_clipnorm: All gradients as one vector are not longer than this.
        name: By default that of the class.

    Raises:
        ValueError: two ways to clip at once, or an argument that there is not.

    Source: https://keras.io/api/optimizers/
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        name: str | None = None,
        **unknown: Any,
    ) -> None:
        if unknown:
            raise TapeValueError(f"Argument(s) not recognized: {unknown}")
        if sum(limit is not None for limit in (clipnorm, clipvalue, global_clipnorm)) > 1:
            raise TapeValueError(
                "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set.",
                fix="clipnorm=1.0 alone",
            )
        self.name = name or type(self).__name__.lower()
        self.weight_decay = weight_decay
        self.clipnorm, self.clipvalue, self.global_clipnorm = clipnorm, clipvalue, global_clipnorm
        self._rate = learning_rate if callable(learning_rate) else _rate_variable(learning_rate)
        self.iterations = Variable(
            np.int64(0), trainable=False, name=f"{self.name}/iteration", dtype=dtypes.int64
        )
        self._slots: dict[int, Slots] = {}

    @property
    def learning_rate(self) -> Any:
        """The rate of the next step."""
        if isinstance(self._rate, schedules.LearningRateSchedule):
            return self._rate(self.iterations)
        return self._rate() if callable(self._rate) else self._rate

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        if callable(value) or callable(self._rate):
            self._rate = value if callable(value) else _rate_variable(value)
        else:
            self._rate.assign(value)

    def build(self, variables: Any) -> None:
        """Nothing: what is remembered about a variable begins with its first gradient."""

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
        pairs = _with_gradient(list(grads_and_vars))
        variables = [variable for _, variable in pairs]
        gradients = [_gradient_of(variable, given) for given, variable in pairs]
        rate = float(np.asarray(self.learning_rate))
        for gradient, variable in zip(self._clipped(gradients), variables, strict=True):
            value = variable._array
            number = value.dtype.type
            if self.weight_decay is not None:
                value = value - value * _constant(self.weight_decay, number) * number(rate)
            slots = self._slots.setdefault(variable._id, {})
            change = self._step(gradient, value, number(rate), slots)
            variable.assign((value - change).astype(value.dtype))
        self.iterations.assign_add(np.int64(1))
        return self.iterations

    def apply(self, grads: Any, trainable_variables: Any) -> Variable:
        """As `apply_gradients`, with two lists."""
        return self.apply_gradients(zip(grads, trainable_variables, strict=True))

    def _clipped(self, gradients: list[Gradient]) -> list[Gradient]:
        if self.clipvalue:
            return [gradient.within(self.clipvalue) for gradient in gradients]
        if self.clipnorm:
            limit = self.clipnorm
            return [g.times(limit / max(g.length, limit)) for g in gradients]
        if self.global_clipnorm:
            length = np.sqrt(sum(gradient.length**2 for gradient in gradients))
            # Not max: a length of NaN must show in every gradient.
            factor = self.global_clipnorm / np.maximum(length, self.global_clipnorm)
            return [gradient.times(factor.astype(length.dtype)) for gradient in gradients]
        return gradients

    def _step(self, gradient: Gradient, value: Array, rate: Array, slots: Slots) -> Array:
        """What to subtract from the variable."""
        raise NotImplementedError


def _with_gradient(pairs: list[Any]) -> list[Any]:
    """The pairs that have a gradient; the others are named in a warning."""
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
            stacklevel=3,
        )
    return [pair for pair in pairs if pair[0] is not None]


def _rate_variable(value: Any) -> Variable:
    return Variable(value, trainable=False, name="learning_rate", dtype=dtypes.float32)


def _constant(value: float, number: Any) -> Any:
    """Keras makes some constants in float32 and widens them, which shows in float64."""
    return number(np.float32(value))


def _slot(slots: Slots, name: str, like: Array, first: float = 0.0) -> Array:
    if name not in slots:
        slots[name] = np.full_like(like, first)
    return slots[name]


class SGD(Optimizer):
    """A step against the gradient: θ ← θ - ηg; with momentum v ← μv + ηg, θ ← θ - v.

    Args:
        learning_rate: How far.
        momentum: How much of the last step is kept; 0 for none.
        nesterov: Look at the slope ahead of the step, not under it.
        settings: Those of every optimizer: clipnorm, weight_decay ...

    Source: https://keras.io/api/optimizers/sgd/; Sutskever et al. 2013, eq. 1-4.
    """

    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__(learning_rate, **settings)
        self.momentum, self.nesterov = momentum, nesterov

    def _step(self, gradient: Gradient, value: Array, rate: Array, slots: Slots) -> Array:
        plain = gradient.dense * rate
        if not self.momentum:
            return plain
        momentum = _constant(self.momentum, value.dtype.type)
        velocity = momentum * _slot(slots, "velocity", value) + plain
        slots["velocity"] = velocity
        return momentum * velocity + plain if self.nesterov else velocity


class Adagrad(Optimizer):
    """Shorter steps where the slopes so far were steep: s ← s + g², θ ← θ - ηg / √(s + ε).

    Args:
        learning_rate: How far.
        initial_accumulator_value: With which s begins.
        epsilon: ε, which keeps the quotient finite.
        settings: Those of every optimizer: clipnorm, weight_decay ...

    Source: https://keras.io/api/optimizers/adagrad/; Duchi et al. 2011.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7,
        **settings: Any,
    ) -> None:
        super().__init__(learning_rate, **settings)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    def _step(self, gradient: Gradient, value: Array, rate: Array, slots: Slots) -> Array:
        first = _constant(self.initial_accumulator_value, value.dtype.type)
        total = _slot(slots, "total", value, first) + gradient.squared
        slots["total"] = total
        return rate * gradient.dense / np.sqrt(total + self.epsilon)


class RMSprop(Optimizer):
    """Steps in units of the gradient's usual size: s ← ρs + (1 - ρ)g², θ ← θ - ηg / √(s + ε).

    Args:
        learning_rate: About how far each weight moves.
        rho: ρ: how slowly the mean square fades.
        momentum: How much of the last step is kept.
        epsilon: ε, which keeps the quotient finite.
        centered: Divide by the standard deviation of g in place of its mean square.
        settings: Those of every optimizer: clipnorm, weight_decay ...

    Source: https://keras.io/api/optimizers/rmsprop/; Graves, arXiv 1308.0850, eq. 38-41.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-7,
        centered: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__(learning_rate, **settings)
        self.rho, self.momentum, self.epsilon, self.centered = rho, momentum, epsilon, centered

    def _step(self, gradient: Gradient, value: Array, rate: Array, slots: Slots) -> Array:
        square = self._fading(slots, "square", value, gradient.squared)
        if self.centered:
            mean = self._fading(slots, "mean", value, gradient.dense)
            square = square - mean * mean
        plain = rate * gradient.dense / np.sqrt(square + self.epsilon)
        if not self.momentum:
            return plain
        slots["velocity"] = self.momentum * _slot(slots, "velocity", value) + plain
        return slots["velocity"]

    def _fading(self, slots: Slots, name: str, like: Array, new: Array) -> Array:
        slots[name] = self.rho * _slot(slots, name, like) + (1 - self.rho) * new
        return slots[name]


class Adam(Optimizer):
    """A step along the mean gradient, in units of its usual size; both means fade.

    m ← β₁m + (1 - β₁)g, s ← β₂s + (1 - β₂)g², θ ← θ - η·√(1 - β₂ᵗ)/(1 - β₁ᵗ) · m / (√s + ε).

    Args:
        learning_rate: About how far each weight moves.
        beta_1: β₁: how slowly the mean fades.
        beta_2: β₂: how slowly the mean square fades.
        epsilon: ε, which keeps the quotient finite.
        amsgrad: Divide by the largest mean square so far.
        settings: Those of every optimizer: clipnorm, weight_decay ...

    Source: https://keras.io/api/optimizers/adam/; Kingma & Ba 2015, algorithm 1 in the arrangement at the end of section 2.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__(learning_rate, **settings)
        self.beta_1, self.beta_2, self.epsilon, self.amsgrad = beta_1, beta_2, epsilon, amsgrad

    def _step(self, gradient: Gradient, value: Array, rate: Array, slots: Slots) -> Array:
        number = value.dtype.type
        step = number(self.iterations._array + 1)
        mean, square = _slot(slots, "mean", value), _slot(slots, "square", value)
        slots["mean"] = mean = mean + (gradient.dense - mean) * (1 - self.beta_1)
        slots["square"] = square = square + (gradient.squared - square) * (1 - self.beta_2)
        if self.amsgrad:
            slots["largest"] = square = np.maximum(_slot(slots, "largest", value), square)
        # Both begin at zero; this takes the weight of those zeros out again.
        fading = [_constant(beta, number) ** step for beta in (self.beta_1, self.beta_2)]
        unbiased = np.sqrt(1 - fading[1]) / (1 - fading[0])
        return mean * (rate * unbiased) / (np.sqrt(square) + number(self.epsilon))


class AdamW(Adam):
    """Adam, and before each step the weights shrink by `weight_decay` times the learning rate.

    Source: https://keras.io/api/optimizers/adamw/; Loshchilov, Hutter, arXiv 1711.05101, algorithm 2.
    """

    def __init__(
        self, learning_rate: Any = 0.001, weight_decay: float = 0.004, *betas: Any, **settings: Any
    ) -> None:
        super().__init__(learning_rate, *betas, weight_decay=weight_decay, **settings)


__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "schedules"]
