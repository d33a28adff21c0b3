"""Optimizers that divide gradients by their typical size.

    Adagrad      divides by the root of the sum of all squared gradients
    RMSprop      divides by the root of a moving average of squares
    Adadelta     divides by the same average, and multiplies by the typical size of the previous steps
    Ftrl         takes decreasing steps, with a penalty that keeps weights at 0
    Adafactor    stores only the mean squares of the rows and columns of a matrix

In the formulas g is the gradient, θ the variable, η the learning rate.
"""

from typing import Any

import numpy as np

from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.keras.optimizers.gradients import VariableGradient
from minitape.keras.optimizers.optimizer import Optimizer, constant
from minitape.keras.optimizers.slots import Slot, Slots
from minitape.ops.axes import real_number


class Adagrad(Optimizer):
    """Take smaller steps where previous gradients were large: s ← s + g², θ ← θ - ηg / √(s + ε).

    Args:
        learning_rate: Learning rate η: a float, a `LearningRateSchedule`, or a function without arguments.
        initial_accumulator_value: Initial value of s.
        epsilon: Small number ε that avoids a division by 0.
        weight_decay: Before each step, the optimizer multiplies every variable by 1 - `weight_decay` · η, where η is the
            learning rate; None means no decay.
        clipnorm: Upper limit of the norm of each gradient; a longer gradient is scaled down.
        clipvalue: Upper limit of the absolute value of each element of a gradient.
        global_clipnorm: Upper limit of the norm of all gradients together. At most one of `clipnorm`, `clipvalue` and
            `global_clipnorm` may be set.
        use_ema: Whether to keep an exponential moving average of the variables; `finalize_variable_values` assigns the
            average to the variables.
        ema_momentum: Fraction of the moving average that each step keeps, from 0 to 1.
        ema_overwrite_frequency: Number of steps after which the average is assigned to the variables; None means that only
            `finalize_variable_values` assigns it.
        loss_scale_factor: Factor by which `scale_loss` multiplies the loss; gradients are divided by it.
        gradient_accumulation_steps: Number of calls, at least 2, whose gradients are averaged for one update; None updates
            in each call.
        name: Name of the optimizer; by default the class name in snake case, with a number.
        **kwargs: Not accepted; any further keyword raises a ValueError.

    Source: https://keras.io/api/optimizers/adagrad/; Duchi et al. 2011.
    """

    _arguments = ("initial_accumulator_value", "epsilon")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            *(weight_decay, clipnorm, clipvalue, global_clipnorm),
            *(use_ema, ema_momentum, ema_overwrite_frequency),
            *(loss_scale_factor, gradient_accumulation_steps, name),
            **kwargs,
        )
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    def _remembers(self) -> list[dict[str, float]]:
        # As in Keras, this value is rounded to float32 first, which makes a visible difference in float64.
        return [{"accumulator": constant(self.initial_accumulator_value, np.float64)}]

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        total = slots["accumulator"]
        total.numbers = total.numbers + gradient.squared
        return rate * gradient.dense / np.sqrt(total.numbers + self.epsilon)


class RMSprop(Optimizer):
    """Divide the gradient by the root of the moving average of its squares: s ← ρs + (1 - ρ)g², θ ← θ - ηg / √(s + ε).

    Args:
        learning_rate: Learning rate η, about the size of a step: a float, a `LearningRateSchedule`, or a function
            without arguments.
        rho: Decay rate ρ of the moving average of squares.
        momentum: Fraction of the previous step that is added; 0.0 means none.
        epsilon: Small number ε that avoids a division by 0.
        centered: Whether to divide by the estimated standard deviation of g instead of its root mean square.
        weight_decay: Before each step, the optimizer multiplies every variable by 1 - `weight_decay` · η, where η is the
            learning rate; None means no decay.
        clipnorm: Upper limit of the norm of each gradient; a longer gradient is scaled down.
        clipvalue: Upper limit of the absolute value of each element of a gradient.
        global_clipnorm: Upper limit of the norm of all gradients together. At most one of `clipnorm`, `clipvalue` and
            `global_clipnorm` may be set.
        use_ema: Whether to keep an exponential moving average of the variables; `finalize_variable_values` assigns the
            average to the variables.
        ema_momentum: Fraction of the moving average that each step keeps, from 0 to 1.
        ema_overwrite_frequency: Number of steps after which the average is assigned to the variables; None means that only
            `finalize_variable_values` assigns it.
        loss_scale_factor: Factor by which `scale_loss` multiplies the loss; gradients are divided by it.
        gradient_accumulation_steps: Number of calls, at least 2, whose gradients are averaged for one update; None updates
            in each call.
        name: Name of the optimizer; by default the class name in snake case, with a number.
        **kwargs: Not accepted; any further keyword raises a ValueError.

    Source: https://keras.io/api/optimizers/rmsprop/; Graves, arXiv 1308.0850, eq. 38-41.
    """

    _arguments = ("rho", "momentum", "epsilon", "centered")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-7,
        centered: bool = False,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            *(weight_decay, clipnorm, clipvalue, global_clipnorm),
            *(use_ema, ema_momentum, ema_overwrite_frequency),
            *(loss_scale_factor, gradient_accumulation_steps, name),
            **kwargs,
        )
        self.rho, self.momentum, self.epsilon, self.centered = rho, momentum, epsilon, centered

    def _remembers(self) -> list[dict[str, float]]:
        wanted = {"velocity": True, "momentum": self.momentum, "average_gradient": self.centered}
        return [{name: 0.0} for name, is_wanted in wanted.items() if is_wanted]

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        square = _vanishing(slots["velocity"], self.rho, gradient.squared)
        if self.centered:
            mean = _vanishing(slots["average_gradient"], self.rho, gradient.dense)
            square = square - mean * mean
        plain = rate * gradient.dense / np.sqrt(square + self.epsilon)
        if not self.momentum:
            return plain
        last = slots["momentum"]
        last.numbers = self.momentum * last.numbers + plain
        return last.numbers


def _vanishing(slot: Slot, rho: float, new: Array) -> Array:
    slot.numbers = rho * slot.numbers + (1 - rho) * new
    return slot.numbers


class Adadelta(Optimizer):
    """Scale the gradient by the ratio of the typical sizes of previous steps and gradients, so that steps have the unit of θ.

    s ← ρs + (1 - ρ)g², d = g·√(u + ε) / √(s + ε), u ← ρu + (1 - ρ)d², θ ← θ - ηd.

    Args:
        learning_rate: Factor η of the step; the paper uses 1.0.
        rho: Decay rate ρ of both moving averages.
        epsilon: Small number ε, which determines the size of the first steps.
        weight_decay: Before each step, the optimizer multiplies every variable by 1 - `weight_decay` · η, where η is the
            learning rate; None means no decay.
        clipnorm: Upper limit of the norm of each gradient; a longer gradient is scaled down.
        clipvalue: Upper limit of the absolute value of each element of a gradient.
        global_clipnorm: Upper limit of the norm of all gradients together. At most one of `clipnorm`, `clipvalue` and
            `global_clipnorm` may be set.
        use_ema: Whether to keep an exponential moving average of the variables; `finalize_variable_values` assigns the
            average to the variables.
        ema_momentum: Fraction of the moving average that each step keeps, from 0 to 1.
        ema_overwrite_frequency: Number of steps after which the average is assigned to the variables; None means that only
            `finalize_variable_values` assigns it.
        loss_scale_factor: Factor by which `scale_loss` multiplies the loss; gradients are divided by it.
        gradient_accumulation_steps: Number of calls, at least 2, whose gradients are averaged for one update; None updates
            in each call.
        name: Name of the optimizer; by default the class name in snake case, with a number.
        **kwargs: Not accepted; any further keyword raises a ValueError.

    Source: https://keras.io/api/optimizers/adadelta/; Zeiler, arXiv 1212.5701, algorithm 1.
    """

    _arguments = ("rho", "epsilon")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: float = 0.95,
        epsilon: float = 1e-7,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            *(weight_decay, clipnorm, clipvalue, global_clipnorm),
            *(use_ema, ema_momentum, ema_overwrite_frequency),
            *(loss_scale_factor, gradient_accumulation_steps, name),
            **kwargs,
        )
        self.rho, self.epsilon = rho, epsilon

    def _remembers(self) -> list[dict[str, float]]:
        return [{"accumulated_grad": 0.0, "accumulated_delta_var": 0.0}]

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        square = _vanishing(slots["accumulated_grad"], self.rho, gradient.squared)
        steps = slots["accumulated_delta_var"]
        unit = np.sqrt(steps.numbers + self.epsilon) / np.sqrt(square + self.epsilon)
        _vanishing(steps, self.rho, gradient.squared * unit * unit)
        return rate * gradient.dense * unit


class Ftrl(Optimizer):
    """Follow the regularized leader: choose the weights that would have been best so far, with a penalty on their size.

    Where the sum of the gradients stays within `l1_regularization_strength`, the weight is exactly 0.

    Args:
        learning_rate: Learning rate η: a float, a `LearningRateSchedule`, or a function without arguments.
        learning_rate_power: Exponent of the accumulator in the learning rate; at most 0, where 0 means a constant rate.
        initial_accumulator_value: Initial value of the sum of squares; at least 0.
        l1_regularization_strength: Factor of the penalty on |θ|; at least 0.
        l2_regularization_strength: Factor of the penalty on θ²; at least 0.
        l2_shrinkage_regularization_strength: Factor of a penalty on θ² that is added to the gradient; at least 0.
        beta: The constant β of the paper.
        weight_decay: Before each step, the optimizer multiplies every variable by 1 - `weight_decay` · η, where η is the
            learning rate; None means no decay.
        clipnorm: Upper limit of the norm of each gradient; a longer gradient is scaled down.
        clipvalue: Upper limit of the absolute value of each element of a gradient.
        global_clipnorm: Upper limit of the norm of all gradients together. At most one of `clipnorm`, `clipvalue` and
            `global_clipnorm` may be set.
        use_ema: Whether to keep an exponential moving average of the variables; `finalize_variable_values` assigns the
            average to the variables.
        ema_momentum: Fraction of the moving average that each step keeps, from 0 to 1.
        ema_overwrite_frequency: Number of steps after which the average is assigned to the variables; None means that only
            `finalize_variable_values` assigns it.
        loss_scale_factor: Factor by which `scale_loss` multiplies the loss; gradients are divided by it.
        gradient_accumulation_steps: Number of calls, at least 2, whose gradients are averaged for one update; None updates
            in each call.
        name: Name of the optimizer; by default the class name in snake case, with a number.
        **kwargs: Not accepted; any further keyword raises a ValueError.

    Raises:
        ValueError: a strength or `initial_accumulator_value` is negative, or `learning_rate_power` is positive.

    Source: https://keras.io/api/optimizers/ftrl/; McMahan et al. 2013, algorithm 1.
    """

    _arguments = (
        "learning_rate_power",
        "initial_accumulator_value",
        "l1_regularization_strength",
        "l2_regularization_strength",
        "l2_shrinkage_regularization_strength",
        "beta",
    )

    def __init__(
        self,
        learning_rate: Any = 0.001,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float = 0.0,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            *(weight_decay, clipnorm, clipvalue, global_clipnorm),
            *(use_ema, ema_momentum, ema_overwrite_frequency),
            *(loss_scale_factor, gradient_accumulation_steps, name),
            **kwargs,
        )
        self.learning_rate_power = learning_rate_power
        self.initial_accumulator_value = initial_accumulator_value
        self.l1_regularization_strength = l1_regularization_strength
        self.l2_regularization_strength = l2_regularization_strength
        self.l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self.beta = beta
        for argument in self._arguments[1:5]:
            if real_number(getattr(self, argument)) < 0:
                raise TapeValueError(
                    f"`{argument}` needs to be positive or zero. Received: {getattr(self, argument)}",
                    fix=f"pass `{argument}=0.1`",
                )
        if real_number(learning_rate_power) > 0:
            raise TapeValueError(
                f"`learning_rate_power` needs to be negative or zero. Received: {learning_rate_power}",
                fix="pass `learning_rate_power=-0.5`",
            )

    def _remembers(self) -> list[dict[str, float]]:
        first = constant(self.initial_accumulator_value, np.float64)
        return [{"accumulator": first, "linear": 0.0}]

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        total, linear = slots["accumulator"], slots["linear"]
        total_gradient = gradient.dense + 2 * self.l2_shrinkage_regularization_strength * value
        before, power = total.numbers, -self.learning_rate_power
        total.numbers = before + gradient.squared
        shorter = total.numbers**power
        linear.numbers = linear.numbers + (
            total_gradient - (shorter - before**power) / rate * value
        )
        curvature = shorter / rate + 2 * (self.l2_regularization_strength + self.beta / (2 * rate))
        free = self.l1_regularization_strength
        return value - (np.clip(linear.numbers, -free, free) - linear.numbers) / curvature


class Adafactor(Optimizer):
    """Scale steps by the gradient's typical size and by the size of the weights, with little memory.

    The optimizer stores only the mean squares of the rows and columns of a matrix.

    Args:
        learning_rate: Size of a step relative to the size of the weights: a float, a `LearningRateSchedule`, or a
            function without arguments.
        beta_2_decay: Exponent of the step in the decay rate 1 - tᵉ of the mean square; negative.
        epsilon_1: Small number that is added to the squares.
        epsilon_2: Lower limit of the root mean square of the weights.
        clip_threshold: Upper limit of the root mean square of a step in units of its typical size.
        relative_step: Whether a constant learning rate is limited by 1/√t; as in Keras, the step is always limited by 1/√t.
        weight_decay: Before each step, the optimizer multiplies every variable by 1 - `weight_decay` · η, where η is the
            learning rate; None means no decay.
        clipnorm: Upper limit of the norm of each gradient; a longer gradient is scaled down.
        clipvalue: Upper limit of the absolute value of each element of a gradient.
        global_clipnorm: Upper limit of the norm of all gradients together. At most one of `clipnorm`, `clipvalue` and
            `global_clipnorm` may be set.
        use_ema: Whether to keep an exponential moving average of the variables; `finalize_variable_values` assigns the
            average to the variables.
        ema_momentum: Fraction of the moving average that each step keeps, from 0 to 1.
        ema_overwrite_frequency: Number of steps after which the average is assigned to the variables; None means that only
            `finalize_variable_values` assigns it.
        loss_scale_factor: Factor by which `scale_loss` multiplies the loss; gradients are divided by it.
        gradient_accumulation_steps: Number of calls, at least 2, whose gradients are averaged for one update; None updates
            in each call.
        name: Name of the optimizer; by default the class name in snake case, with a number.
        **kwargs: Not accepted; any further keyword raises a ValueError.

    Source: https://keras.io/api/optimizers/adafactor/; Shazeer, Stern, arXiv 1804.04235, algorithms 4 and 5.
    """

    _arguments = ("beta_2_decay", "epsilon_1", "epsilon_2", "clip_threshold", "relative_step")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_2_decay: float = -0.8,
        epsilon_1: float = 1e-30,
        epsilon_2: float = 1e-3,
        clip_threshold: float = 1.0,
        relative_step: bool = True,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            *(weight_decay, clipnorm, clipvalue, global_clipnorm),
            *(use_ema, ema_momentum, ema_overwrite_frequency),
            *(loss_scale_factor, gradient_accumulation_steps, name),
            **kwargs,
        )
        self.beta_2_decay, self.epsilon_1, self.epsilon_2 = beta_2_decay, epsilon_1, epsilon_2
        self.clip_threshold, self.relative_step = clip_threshold, relative_step

    def _make_slots(self, first: dict[str, float]) -> None:
        if "velocity" not in first:
            super()._make_slots(first)
            return
        for variable in self._trained:
            self._make_factors(variable)

    def _make_factors(self, variable: Variable) -> None:
        """Create the mean squares of rows and columns for a matrix, or a scalar that stays 0 for other variables."""
        rows: Any = np.int32(0)
        columns: Any = np.int32(0)
        value = variable._array
        if value.ndim >= 2:
            rows, columns = np.zeros_like(value[..., 0]), np.zeros_like(value[..., 0, :])
        own = {"r": rows, "c": columns, "velocity": np.zeros_like(value)}
        slots = {
            name: Slot(np.asarray(first), f"{self.name}/{variable.path}_{name}")
            for name, first in own.items()
        }
        self._slots[variable._id] |= slots
        self._own_variables.extend(slots.values())

    def _remembers(self) -> list[dict[str, float]]:
        return [{"velocity": 0.0}]

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        number = value.dtype.type
        step = number(self._steps + 1)
        size = number(1 / np.sqrt(step))
        if self.relative_step and isinstance(self._rate, Variable):
            rate = min(rate, size)
        length = max(constant(self.epsilon_2, number), _root_mean_square(value)) * min(rate, size)
        beta = number(1 - step**self.beta_2_decay)
        square = gradient.squared + number(self.epsilon_1)
        slots["velocity"].numbers = self._mean_square(square, beta, slots)
        unit = gradient.dense / np.sqrt(slots["velocity"].numbers)
        return length * unit / max(number(1), _root_mean_square(unit) / self.clip_threshold)

    def _mean_square(self, square: Array, beta: Array, slots: Slots) -> Array:
        if square.ndim < 2:
            return beta * slots["velocity"].numbers + (1 - beta) * square
        rows, columns = slots["r"], slots["c"]
        rows.numbers = beta * rows.numbers + (1 - beta) * square.mean(axis=-1)
        columns.numbers = beta * columns.numbers + (1 - beta) * square.mean(axis=-2)
        ratios = rows.numbers / rows.numbers.mean(axis=-1, keepdims=True)
        return ratios[..., None] * columns.numbers[..., None, :]


def _root_mean_square(array: Array) -> Any:
    return np.sqrt((array * array).mean())
