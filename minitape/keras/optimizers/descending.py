"""Steps along the gradient, or along its signs.

    SGD     against the gradient, with momentum if wanted
    Lion    against the sign of a mean of gradients

In the formulas g is the gradient, θ the variable, η the learning rate.
"""

from typing import Any

import numpy as np

from minitape.core.convert import convert_to_tensor
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.errors import TapeValueError
from minitape.keras.optimizers.gradients import Gradient
from minitape.keras.optimizers.optimizer import Optimizer, constant
from minitape.keras.optimizers.slots import Slots


class SGD(Optimizer):
    """A step against the gradient: θ ← θ - ηg; with momentum v ← μv - ηg, θ ← θ + v.

    Without momentum, of a table only the rows are touched that were read.

    Args:
        learning_rate: How far.
        momentum: How much of the last step is kept; 0.0 for none.
        nesterov: Look at the slope ahead of the step, not under it.
        weight_decay: This and what follows are as in `Optimizer`.

    Raises:
        ValueError: `momentum` is no float from 0 to 1.

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
                fix="momentum=0.9",
            )
        self.momentum, self.nesterov = momentum, nesterov

    def _remembers(self) -> list[dict[str, float]]:
        return [{"momentum": 0.0}] if self.momentum else []

    def _move(self, gradient: Gradient, variable: Variable, rate: float) -> None:
        if self.momentum or gradient.rows is None:
            super()._move(gradient, variable, rate)
            return
        change = convert_to_tensor(gradient.numbers * variable._array.dtype.type(rate))
        variable.scatter_sub(IndexedSlices(change, convert_to_tensor(gradient.rows)))

    def _step(self, gradient: Gradient, value: Array, rate: Array, slots: Slots) -> Array:
        plain = gradient.dense * rate
        if not self.momentum:
            return plain
        momentum = constant(self.momentum, value.dtype.type)
        velocity = slots["momentum"]
        velocity.numbers = velocity.numbers * momentum - plain
        return plain - velocity.numbers * momentum if self.nesterov else -velocity.numbers


class Lion(Optimizer):
    """All weights move equally far, each against the sign of a mean: θ ← θ - η·sign(β₁m + (1 - β₁)g), m ← β₂m + (1 - β₂)g.

    Args:
        learning_rate: How far; a third to a tenth of Adam's.
        beta_1: β₁: how much of the mean goes into the step.
        beta_2: β₂: how slowly the mean fades.
        weight_decay: This and what follows are as in `Optimizer`.

    Raises:
        ValueError: `beta_1` is not above 0, up to 1.

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
                f"Argument `beta_1` must be in the [0, 1] range, and not 0. Received: beta_1={beta_1}.",
                fix="beta_1=0.9",
            )
        self.beta_1, self.beta_2 = beta_1, beta_2

    def _remembers(self) -> list[dict[str, float]]:
        return [{"momentum": 0.0}]

    def _step(self, gradient: Gradient, value: Array, rate: Array, slots: Slots) -> Array:
        number = value.dtype.type
        beta_1, beta_2 = constant(self.beta_1, number), constant(self.beta_2, number)
        mean, new = slots["momentum"], gradient.dense
        direction = np.sign(mean.numbers * beta_1 + new * (1 - beta_1))
        mean.numbers = mean.numbers * beta_2 + new * (1 - beta_2)
        return rate * direction
