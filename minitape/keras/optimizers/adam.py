"""Adam and related optimizers, whose steps follow the average gradient divided by its typical size.

    Adam      moving averages of gradients and of their squares
    AdamW     Adam with decoupled weight decay
    Adamax    the typical size is a decaying maximum
    Nadam     Adam with Nesterov momentum
    Lamb      steps in proportion to the norm of each variable

In the formulas g is the gradient, θ the variable, η the learning rate, and t the number of the step, starting at 1.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from minitape.core.values import Array
from minitape.errors import TapeValueError
from minitape.keras.optimizers.gradients import VariableGradient
from minitape.keras.optimizers.optimizer import Optimizer, constant
from minitape.keras.optimizers.slots import Slot, Slots


class Adam(Optimizer):
    """Subtract the learning rate times the moving average of the gradients, divided by the square root of the moving
    average of their squares.

    m ← β₁m + (1 - β₁)g, s ← β₂s + (1 - β₂)g², θ ← θ - η·√(1 - β₂ᵗ)/(1 - β₁ᵗ) · m / (√s + ε).

    Args:
        learning_rate: Learning rate η, about the size of a step: a float, a `LearningRateSchedule`, or a function
            without arguments.
        beta_1: Decay rate β₁ of the moving average of the gradients.
        beta_2: Decay rate β₂ of the moving average of the squared gradients.
        epsilon: Small number ε that avoids a division by 0.
        amsgrad: Whether to divide by the root of the largest average of squares so far.
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

    Source: https://keras.io/api/optimizers/adam/; Kingma & Ba 2015, algorithm 1 in the arrangement at the end of section 2.
    """

    _arguments = ("beta_1", "beta_2", "epsilon", "amsgrad")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
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
        self.beta_1, self.beta_2, self.epsilon, self.amsgrad = beta_1, beta_2, epsilon, amsgrad

    def _remembers(self) -> list[dict[str, float]]:
        means = {"momentum": 0.0, "velocity": 0.0}
        return [means, {"velocity_hat": 0.0}] if self.amsgrad else [means]

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        number = value.dtype.type
        step = number(self._steps + 1)
        mean = slots["momentum"].move(gradient.dense, 1 - self.beta_1)
        square = slots["velocity"].move(gradient.squared, 1 - self.beta_2)
        if self.amsgrad:
            largest = slots["velocity_hat"]
            largest.numbers = square = np.maximum(largest.numbers, square)
        unbiased = _unbiased(constant(self.beta_1, number), constant(self.beta_2, number), step)
        # In place, because for a large variable each further array costs as much as the arithmetic.
        change: Array = mean * (rate * unbiased)
        scale = np.sqrt(square)
        scale += number(self.epsilon)
        change /= scale
        return change


@lru_cache(maxsize=16, typed=True)
def _unbiased(beta_1: Array, beta_2: Array, step: Array) -> Array:
    """Return the bias correction for averages that start at 0, which is the same for all variables of a dtype."""
    return np.sqrt(1 - beta_2**step) / (1 - beta_1**step)


class AdamW(Adam):
    """Adam with decoupled weight decay, which multiplies variables by 1 - `weight_decay` · η before each step.

    Args:
        learning_rate: Learning rate η, about the size of a step: a float, a `LearningRateSchedule`, or a function
            without arguments.
        weight_decay: Fraction of each variable that is subtracted, times the learning rate; must not be None.
        beta_1: Decay rate β₁ of the moving average of the gradients.
        beta_2: Decay rate β₂ of the moving average of the squared gradients.
        epsilon: Small number ε that avoids a division by 0.
        amsgrad: Whether to divide by the root of the largest average of squares so far.
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
        ValueError: `weight_decay` is None.

    Source: https://keras.io/api/optimizers/adamw/; Loshchilov, Hutter, arXiv 1711.05101, algorithm 2.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        weight_decay: float | None = 0.004,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
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
            *(beta_1, beta_2, epsilon, amsgrad),
            *(weight_decay, clipnorm, clipvalue, global_clipnorm),
            *(use_ema, ema_momentum, ema_overwrite_frequency),
            *(loss_scale_factor, gradient_accumulation_steps, name),
            **kwargs,
        )
        if self.weight_decay is None:
            raise TapeValueError(
                "Argument `weight_decay` must be a float. Received: weight_decay=None",
                fix="use `tf.keras.optimizers.Adam`, which does not require a loss",
            )


class Adamax(Optimizer):
    """Adam with a decaying maximum of |g| in place of the average of squares.

    m ← β₁m + (1 - β₁)g, u ← max(β₂u, |g|), θ ← θ - η/(1 - β₁ᵗ) · m/(u + ε).

    Args:
        learning_rate: Learning rate η, about the size of a step: a float, a `LearningRateSchedule`, or a function
            without arguments.
        beta_1: Decay rate β₁ of the moving average of the gradients.
        beta_2: Decay rate β₂ of the maximum of |g|.
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

    Source: https://keras.io/api/optimizers/adamax/; Kingma & Ba 2015, algorithm 2.
    """

    _arguments = ("beta_1", "beta_2", "epsilon")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
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
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def _remembers(self) -> list[dict[str, float]]:
        return [{"momentum": 0.0, "norm": 0.0}]

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        number = value.dtype.type
        mean = slots["momentum"].move(gradient.dense, 1 - self.beta_1)
        largest = slots["norm"]
        largest.numbers = np.maximum(self.beta_2 * largest.numbers, gradient.size)
        decay = constant(self.beta_1, number) ** number(self._steps + 1)
        return rate * mean / ((1 - decay) * (largest.numbers + number(self.epsilon)))


class Nadam(Optimizer):
    """Adam with Nesterov momentum, which uses the average gradient one step ahead and a β₁ that grows over time.

    Args:
        learning_rate: Learning rate η, about the size of a step: a float, a `LearningRateSchedule`, or a function
            without arguments.
        beta_1: Limit of the decay rate of the moving average of the gradients.
        beta_2: Decay rate β₂ of the moving average of the squared gradients.
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

    Source: https://keras.io/api/optimizers/nadam/; Dozat 2016, algorithm 8.
    """

    _arguments = ("beta_1", "beta_2", "epsilon")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
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
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def build(self, var_list: Any) -> None:
        """Create the state for some variables, and the product of all β₁ so far.

        Args:
            var_list: The variables to train.
        """
        if self.built:
            return
        super().build(var_list)
        dtype = self._trained[0]._array.dtype if self._trained else np.float32
        self._product = Slot(np.ones((), dtype), f"{self.name}/u_product")
        self._own_variables.append(self._product)

    def _remembers(self) -> list[dict[str, float]]:
        return [{"momentum": 0.0, "velocity": 0.0}]

    def _begin_step(self) -> None:
        before = self._product.numbers
        number = before.dtype.type
        # This does not use `_beta_1`, because Keras does not round the constants of the product to float32 first.
        now = self.beta_1 * (1 - 0.5 * number(0.96) ** number(self._steps + 1))
        self._product.numbers = np.asarray(before * now)

    def _beta_1(self, step: int, number: Any) -> Any:
        return constant(self.beta_1, number) * (1 - 0.5 * constant(0.96, number) ** number(step))

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        number = value.dtype.type
        step = self._steps + 1
        now, ahead = self._beta_1(step, number), self._beta_1(step + 1, number)
        until_now = number(self._product.numbers)
        beta_1, beta_2 = constant(self.beta_1, number), constant(self.beta_2, number)
        new = gradient.dense
        mean = slots["momentum"].move(new, 1 - beta_1)
        square = slots["velocity"].move(gradient.squared, 1 - beta_2)
        looked = ahead * mean / (1 - until_now * ahead)
        looked = looked + (1 - now) * new / (1 - until_now)
        size = np.sqrt(square / (1 - beta_2 ** number(step))) + number(self.epsilon)
        return looked * rate / size


class Lamb(Optimizer):
    """Step in Adam's direction, scaled to the norm of each variable; suitable for large batches.

    Args:
        learning_rate: Size of a step relative to the norm of the variable: a float, a `LearningRateSchedule`, or a
            function without arguments.
        beta_1: Decay rate β₁ of the moving average of the gradients.
        beta_2: Decay rate β₂ of the moving average of the squared gradients.
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

    Source: https://keras.io/api/optimizers/lamb/; You et al., arXiv 1904.00962, algorithm 2.
    """

    _arguments = ("beta_1", "beta_2", "epsilon")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
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
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def _remembers(self) -> list[dict[str, float]]:
        return [{"momentum": 0.0, "velocity": 0.0}]

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        number = value.dtype.type
        step = number(self._steps + 1)
        mean = slots["momentum"].move(gradient.dense, 1 - self.beta_1)
        square = slots["velocity"].move(gradient.squared, 1 - self.beta_2)
        decays = [constant(beta, number) ** step for beta in (self.beta_1, self.beta_2)]
        size = np.sqrt(square / (1 - decays[1])) + number(self.epsilon)
        direction = mean / (1 - decays[0]) / size
        lengths = [np.sqrt((array * array).sum()) for array in (value, direction)]
        ratio = lengths[0] / lengths[1] if all(length > 0 for length in lengths) else number(1)
        return ratio * rate * direction
