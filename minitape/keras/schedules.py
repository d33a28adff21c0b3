"""Learning rates that change with the number of the step: `tf.keras.optimizers.schedules`.

    ExponentialDecay, InverseTimeDecay    ever smaller
    PolynomialDecay, CosineDecay          down to an end, and stay there
    PiecewiseConstantDecay                stairs

A schedule is a function of the step. An optimizer asks it before each step, beginning with step 0.

Source: https://keras.io/api/optimizers/learning_rate_schedules/
"""

import math
from typing import Any

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.ops.arithmetic import pow
from minitape.ops.comparing import floor
from minitape.ops.extremes import minimum
from minitape.ops.passing import cast
from minitape.ops.trigonometry import cos


class LearningRateSchedule:
    """A learning rate as a function of the step."""

    def __call__(self, step: Any) -> Value:
        """The learning rate of step number `step`, a float32."""
        raise NotImplementedError(f"{type(self).__name__} has no `__call__(self, step)`.")


def _number(value: Any) -> Value:
    return cast(convert_to_tensor(value), dtypes.float32)


class _Fading(LearningRateSchedule):
    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        decay_rate: Any,
        staircase: bool = False,
        name: str | None = None,
    ) -> None:
        self.initial_learning_rate = initial_learning_rate
        self.decay_steps, self.decay_rate = decay_steps, decay_rate
        self.staircase, self.name = staircase, name

    def _periods(self, step: Any) -> Value:
        """How many times `decay_steps` have gone by; whole ones on a staircase."""
        periods = _number(step) / float(self.decay_steps)
        return floor(periods) if self.staircase else periods


class ExponentialDecay(_Fading):
    """initial · rateᵖ, where p = step / decay_steps.

    Args:
        initial_learning_rate: That of step 0.
        decay_steps: After how many steps it has shrunk to `decay_rate` of what it was.
        decay_rate: A factor.
        staircase: Only after whole `decay_steps`.
        name: Ignored.

    Source: https://keras.io/api/optimizers/learning_rate_schedules/exponential_decay/
    """

    def __call__(self, step: Any) -> Value:
        factor = pow(_number(self.decay_rate), self._periods(step))
        return _number(self.initial_learning_rate) * factor


class InverseTimeDecay(_Fading):
    """initial / (1 + rate·p), where p = step / decay_steps.

    Args:
        initial_learning_rate: That of step 0.
        decay_steps: The unit of time.
        decay_rate: How much the divisor grows in it.
        staircase: Only after whole `decay_steps`.
        name: Ignored.

    Source: https://keras.io/api/optimizers/learning_rate_schedules/inverse_time_decay/
    """

    def __call__(self, step: Any) -> Value:
        divisor = 1.0 + _number(self.decay_rate) * self._periods(step)
        return _number(self.initial_learning_rate) / divisor


class PiecewiseConstantDecay(LearningRateSchedule):
    """values[0] up to and with step boundaries[0], then values[1], and so on.

    Args:
        boundaries: Steps, in ascending order.
        values: One more than there are boundaries.
        name: Ignored.

    Raises:
        ValueError: the lengths do not fit.

    Source: https://keras.io/api/optimizers/learning_rate_schedules/piecewise_constant_decay/
    """

    def __init__(self, boundaries: Any, values: Any, name: str | None = None) -> None:
        if len(boundaries) != len(values) - 1:
            raise TapeValueError(
                "The length of boundaries should be 1 less than the length of values. "
                f"Received: boundaries={boundaries} of length {len(boundaries)}, and "
                f"values={values} of length {len(values)}.",
                fix="one value for each stretch, the last one beyond the last boundary too",
            )
        self.boundaries, self.values, self.name = boundaries, values, name

    def __call__(self, step: Any) -> Value:
        passed = sum(float(step) > float(boundary) for boundary in self.boundaries)
        return _number(self.values[passed])


class PolynomialDecay(LearningRateSchedule):
    """From `initial` to `end`, along (1 - step / decay_steps)ᵖᵒʷᵉʳ.

    Args:
        initial_learning_rate: That of step 0.
        decay_steps: When the end is reached.
        end_learning_rate: That of all steps from then on.
        power: 1 for a straight line.
        cycle: Begin anew with a longer `decay_steps` in place of staying at the end.
        name: Ignored.

    Source: https://keras.io/api/optimizers/learning_rate_schedules/polynomial_decay/
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        end_learning_rate: Any = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        name: str | None = None,
    ) -> None:
        self.initial_learning_rate, self.end_learning_rate = (
            initial_learning_rate,
            end_learning_rate,
        )
        self.decay_steps, self.power, self.cycle, self.name = decay_steps, power, cycle, name

    def __call__(self, step: Any) -> Value:
        steps = float(self.decay_steps)
        if self.cycle:
            steps *= max(1, math.ceil(float(step) / steps))
        share = minimum(_number(step), steps) / steps
        end = _number(self.end_learning_rate)
        return (_number(self.initial_learning_rate) - end) * pow(1.0 - share, self.power) + end


class CosineDecay(LearningRateSchedule):
    """Down along half a wave of the cosine, if wanted after a straight way up.

    Args:
        initial_learning_rate: That of step 0.
        decay_steps: How long the way down is.
        alpha: What is left at its end, as a share of the rate at its top.
        name: Ignored.
        warmup_target: The rate at the top; by default there is no way up.
        warmup_steps: How long the way up is.

    Source: https://keras.io/api/optimizers/learning_rate_schedules/cosine_decay/; Loshchilov, Hutter, arXiv 1608.03983, eq. 5.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        alpha: float = 0.0,
        name: str = "CosineDecay",
        warmup_target: Any = None,
        warmup_steps: Any = 0,
    ) -> None:
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.alpha, self.name = alpha, name
        self.warmup_target, self.warmup_steps = warmup_target, warmup_steps

    def __call__(self, step: Any) -> Value:
        start = _number(self.initial_learning_rate)
        if self.warmup_target is None:
            return self._down(_number(step), start)
        top = _number(self.warmup_target)
        if float(step) < float(self.warmup_steps):
            return start + (top - start) * (_number(step) / float(self.warmup_steps))
        return self._down(_number(step) - float(self.warmup_steps), top)

    def _down(self, step: Value, top: Value) -> Value:
        steps = float(self.decay_steps)
        wave = 0.5 * (1.0 + cos(math.pi * (minimum(step, steps) / steps)))
        return top * ((1.0 - self.alpha) * wave + self.alpha)


__all__ = [
    "CosineDecay",
    "ExponentialDecay",
    "InverseTimeDecay",
    "LearningRateSchedule",
    "PiecewiseConstantDecay",
    "PolynomialDecay",
]
