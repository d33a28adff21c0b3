"""Optimizers that step against the gradient, or against the signs of its elements.

    SGD     steps against the gradient, optionally with momentum
    Lion    steps against the signs of an average of gradients

In the formulas g is the gradient, θ the variable, η the learning rate.
"""

from typing import Any

import numpy as np

from minitape.core.convert import convert_to_tensor
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.keras.optimizers.gradients import VariableGradient
from minitape.keras.optimizers.optimizer import Optimizer, constant
from minitape.keras.optimizers.slots import Slots


class SGD(Optimizer):
    """Run stochastic gradient descent: θ ← θ - ηg, or with momentum v ← μv - ηg, θ ← θ + v.

    Without momentum, an `IndexedSlices` gradient updates only the rows that it contains.

    Args:
        learning_rate: Learning rate η: a float, a `LearningRateSchedule`, or a function without arguments.
        momentum: Fraction μ of the previous step that is added; a float from 0 to 1.
        nesterov: Whether to use Nesterov momentum: θ ← θ + μv - ηg.
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
        ValueError: `momentum` is not a float from 0 to 1.

    Source: https://keras.io/api/optimizers/sgd/; Sutskever et al. 2013, eq. 1-4.
    """

    _arguments = ("momentum", "nesterov")

    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
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
        if not isinstance(momentum, float) or not 0 <= momentum <= 1:
            raise TapeValueError(
                f"`momentum` must be a float between [0, 1]. Received: {momentum}",
                fix="pass `momentum=0.9`",
            )
        self.momentum, self.nesterov = momentum, nesterov

    def _remembers(self) -> list[dict[str, float]]:
        return [{"momentum": 0.0}] if self.momentum else []

    def _move(self, gradient: VariableGradient, variable: Variable, rate: float) -> None:
        if self.momentum or gradient.rows is None:
            super()._move(gradient, variable, rate)
            return
        change = convert_to_tensor(gradient.numbers * variable._array.dtype.type(rate))
        variable.scatter_sub(IndexedSlices(change, convert_to_tensor(gradient.rows)))

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        plain = gradient.dense * rate
        if not self.momentum:
            return plain
        momentum = constant(self.momentum, value.dtype.type)
        velocity = slots["momentum"]
        velocity.numbers = velocity.numbers * momentum - plain
        return plain - velocity.numbers * momentum if self.nesterov else -velocity.numbers


class Lion(Optimizer):
    """Update every element by the same amount, against the sign of an average of gradients.

    θ ← θ - η·sign(β₁m + (1 - β₁)g), m ← β₂m + (1 - β₂)g.

    Args:
        learning_rate: Size of a step; usually a third to a tenth of Adam's learning rate.
        beta_1: Fraction β₁ of the average in the direction of the step; above 0, at most 1.
        beta_2: Decay rate β₂ of the moving average of the gradients.
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
        name: Name of the optimizer; by default "lion" with a number.
        **kwargs: Not accepted; any further keyword raises a ValueError.

    Raises:
        ValueError: `beta_1` is not in (0, 1].

    Source: https://keras.io/api/optimizers/lion/; Chen et al., arXiv 2302.06675, algorithm 2.
    """

    _arguments = ("beta_1", "beta_2")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.99,
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
        if not 0 < beta_1 <= 1:
            raise TapeValueError(
                f"Argument `beta_1` must be in (0, 1]. Received: beta_1={beta_1}.",
                fix="pass `beta_1=0.9`",
            )
        self.beta_1, self.beta_2 = beta_1, beta_2

    def _remembers(self) -> list[dict[str, float]]:
        return [{"momentum": 0.0}]

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        number = value.dtype.type
        beta_1, beta_2 = constant(self.beta_1, number), constant(self.beta_2, number)
        mean, new = slots["momentum"], gradient.dense
        direction = np.sign(mean.numbers * beta_1 + new * (1 - beta_1))
        mean.numbers = mean.numbers * beta_2 + new * (1 - beta_2)
        return rate * direction
