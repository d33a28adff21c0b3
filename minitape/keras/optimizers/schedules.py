"""Learning rates that depend on the step: `tf.keras.optimizers.schedules`.

    ExponentialDecay, InverseTimeDecay    decrease without end
    PolynomialDecay, CosineDecay          decrease to a final value
    CosineDecayRestarts                   cosine decays with warm restarts
    PiecewiseConstantDecay                a step function

A schedule is a function of the step number. An optimizer calls its schedule before each step, starting with step 0.

Source: https://keras.io/api/optimizers/learning_rate_schedules/
"""

import math
from typing import Any

from minitape.core.arguments import listed
from minitape.core.convert import convert_to_tensor
from minitape.core.values import Value
from minitape.errors import TapeTypeError, TapeValueError, code_list
from minitape.keras import config
from minitape.ops.arithmetic import pow
from minitape.ops.axes import real_number
from minitape.ops.comparison import floor
from minitape.ops.exponential import log
from minitape.ops.identity import cast
from minitape.ops.minmax import minimum
from minitape.ops.trigonometry import cos


class LearningRateSchedule:
    """Base class of learning rates that depend on the step; subclasses define `__call__(self, step)`."""

    # Names of the arguments of a subclass; each is also the name of an attribute.
    _arguments: tuple[str, ...] = ()

    def __call__(self, step: Any) -> Value:
        """Return the learning rate of a step. Subclasses define this method.

        Args:
            step: Number of the step, starting at 0.

        Returns:
            A scalar tensor.

        Raises:
            NotImplementedError: the class does not define `__call__`.
        """
        raise NotImplementedError(f"`{type(self).__name__}` has no `__call__(self, step)`.")

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this schedule.

        Returns:
            A dict.

        Raises:
            NotImplementedError: a custom class does not define `get_config`.
        """
        if not self._arguments:
            raise NotImplementedError(f"`{type(self).__name__}` has no `get_config(self)`.")
        return {name: getattr(self, name) for name in self._arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "LearningRateSchedule":
        """Create a schedule from the result of `get_config`.

        Args:
            config: The arguments.

        Returns:
            A new schedule.
        """
        return cls(**config)


def _number(value: Any) -> Value:
    return cast(convert_to_tensor(value), config.float_dtype())


def _check(name: str, steps: Any) -> None:
    if real_number(steps) <= 0:
        raise TapeValueError(
            f"Argument `{name}` must be > 0. Received: {name}={steps}", fix=f"pass `{name}=1000`"
        )


class _Vanishing(LearningRateSchedule):
    _arguments = ("initial_learning_rate", "decay_steps", "decay_rate", "staircase", "name")

    initial_learning_rate: Any
    decay_rate: Any

    def _begin(self, decay_steps: Any, staircase: bool, name: str) -> None:
        _check("decay_steps", decay_steps)
        self.decay_steps, self.staircase, self.name = decay_steps, staircase, name

    def _periods(self, step: Any) -> Value:
        """Return the number of periods of `decay_steps` so far; an integer with `staircase`."""
        periods = _number(step) / float(self.decay_steps)
        return floor(periods) if self.staircase else periods


class ExponentialDecay(_Vanishing):
    """Decay exponentially: initial · rateᵖ with p = step / decay_steps.

    Args:
        initial_learning_rate: Learning rate of step 0.
        decay_steps: Number of steps of one decay period; positive.
        decay_rate: Factor by which the learning rate changes in each period.
        staircase: Whether the rate changes only after whole periods.
        name: Name of the schedule, which `get_config` returns.

    Raises:
        ValueError: `decay_steps` is not positive.

    Source: https://keras.io/api/optimizers/learning_rate_schedules/exponential_decay/
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        decay_rate: Any,
        staircase: bool = False,
        name: str = "ExponentialDecay",
    ) -> None:
        self.initial_learning_rate, self.decay_rate = initial_learning_rate, decay_rate
        self._begin(decay_steps, staircase, name)

    def __call__(self, step: Any) -> Value:
        factor = pow(_number(self.decay_rate), self._periods(step))
        return _number(self.initial_learning_rate) * factor


class InverseTimeDecay(_Vanishing):
    """Decay inversely with time: initial / (1 + rate·p) with p = step / decay_steps.

    Args:
        initial_learning_rate: Learning rate of step 0.
        decay_steps: Number of steps of one decay period; positive.
        decay_rate: Number that is added to the divisor in each period.
        staircase: Whether the rate changes only after whole periods.
        name: Name of the schedule, which `get_config` returns.

    Raises:
        ValueError: `decay_steps` is not positive.

    Source: https://keras.io/api/optimizers/learning_rate_schedules/inverse_time_decay/
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        decay_rate: Any,
        staircase: bool = False,
        name: str = "InverseTimeDecay",
    ) -> None:
        self.initial_learning_rate, self.decay_rate = initial_learning_rate, decay_rate
        self._begin(decay_steps, staircase, name)

    def __call__(self, step: Any) -> Value:
        divisor = 1.0 + _number(self.decay_rate) * self._periods(step)
        return _number(self.initial_learning_rate) / divisor


class PiecewiseConstantDecay(LearningRateSchedule):
    """Use `values[0]` up to and including step `boundaries[0]`, then `values[1]`, and so on.

    Args:
        boundaries: List of steps in ascending order.
        values: List of learning rates, with one more entry than `boundaries`.
        name: Name of the schedule, which `get_config` returns.

    Raises:
        ValueError: the lengths do not match.

    Source: https://keras.io/api/optimizers/learning_rate_schedules/piecewise_constant_decay/
    """

    _arguments = ("boundaries", "values", "name")

    def __init__(self, boundaries: Any, values: Any, name: str = "PiecewiseConstant") -> None:
        edges, stretches = listed(boundaries, "boundaries"), listed(values, "values")
        if len(edges) != len(stretches) - 1:
            raise TapeValueError(
                "The length of boundaries should be 1 less than the length of values. "
                f"Received: boundaries={boundaries} of length {len(edges)}, and "
                f"values={values} of length {len(stretches)}.",
                fix="pass one value for each interval, including the interval after the last boundary",
            )
        self.boundaries, self.values, self.name = boundaries, values, name

    def __call__(self, step: Any) -> Value:
        passed = sum(float(step) > float(boundary) for boundary in self.boundaries)
        rate: Value = convert_to_tensor(self.values[passed])
        return rate


class PolynomialDecay(LearningRateSchedule):
    """Decay from `initial_learning_rate` to `end_learning_rate` along (1 - step / decay_steps)ᵖᵒʷᵉʳ.

    Args:
        initial_learning_rate: Learning rate of step 0.
        decay_steps: Number of steps until `end_learning_rate` is reached; positive.
        end_learning_rate: Learning rate of all later steps.
        power: Exponent; 1 means a linear decay.
        cycle: Whether to start again with a longer period instead of staying at `end_learning_rate`.
        name: Name of the schedule, which `get_config` returns.

    Raises:
        ValueError: `decay_steps` is not positive.

    Source: https://keras.io/api/optimizers/learning_rate_schedules/polynomial_decay/
    """

    _arguments = (
        *("initial_learning_rate", "decay_steps"),
        *("end_learning_rate", "power", "cycle", "name"),
    )

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        end_learning_rate: Any = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        name: str = "PolynomialDecay",
    ) -> None:
        _check("decay_steps", decay_steps)
        self.initial_learning_rate, self.end_learning_rate = (
            initial_learning_rate,
            end_learning_rate,
        )
        self.decay_steps, self.power, self.cycle, self.name = decay_steps, power, cycle, name

    def __call__(self, step: Any) -> Value:
        steps = float(self.decay_steps)
        if self.cycle:
            steps *= max(1, math.ceil(float(step) / steps))
        fraction = minimum(_number(step), steps) / steps
        end = _number(self.end_learning_rate)
        return (_number(self.initial_learning_rate) - end) * pow(1.0 - fraction, self.power) + end


class CosineDecay(LearningRateSchedule):
    """Decay along half a cosine wave, optionally after a linear warmup.

    Args:
        initial_learning_rate: Learning rate of step 0.
        decay_steps: Number of steps of the decay, without the warmup; positive.
        alpha: Final learning rate, as a fraction of the highest learning rate.
        name: Name of the schedule, which `get_config` returns.
        warmup_target: Learning rate at the end of the warmup; None (the default) means no warmup.
        warmup_steps: Number of steps of the warmup.

    Raises:
        ValueError: `decay_steps` is not positive.

    Source: https://keras.io/api/optimizers/learning_rate_schedules/cosine_decay/; Loshchilov, Hutter, arXiv 1608.03983,
    eq. 5.
    """

    _arguments = (
        *("initial_learning_rate", "decay_steps", "alpha", "name"),
        *("warmup_target", "warmup_steps"),
    )

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        alpha: float = 0.0,
        name: str = "CosineDecay",
        warmup_target: Any = None,
        warmup_steps: Any = 0,
    ) -> None:
        _check("decay_steps", decay_steps)
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


class CosineDecayRestarts(LearningRateSchedule):
    """Decay repeatedly along half a cosine wave; each period is `t_mul` times as long and starts at `m_mul` times the rate.

    Args:
        initial_learning_rate: Highest learning rate of the first period.
        first_decay_steps: Number of steps of the first period; positive.
        t_mul: Length of each period relative to the previous one.
        m_mul: Highest rate of each period relative to the previous one.
        alpha: Learning rate at the end of a period, as a fraction of the period's highest rate.
        name: Name of the schedule, which `get_config` returns.

    Raises:
        ValueError: `first_decay_steps` is not positive.

    Source: https://keras.io/api/optimizers/learning_rate_schedules/cosine_decay_restarts/; Loshchilov, Hutter, arXiv
    1608.03983.
    """

    _arguments = ("initial_learning_rate", "first_decay_steps", "t_mul", "m_mul", "alpha", "name")

    def __init__(
        self,
        initial_learning_rate: Any,
        first_decay_steps: Any,
        t_mul: float = 2.0,
        m_mul: float = 1.0,
        alpha: float = 0.0,
        name: str = "SGDRDecay",
    ) -> None:
        _check("first_decay_steps", first_decay_steps)
        self.initial_learning_rate, self.first_decay_steps = (
            initial_learning_rate,
            first_decay_steps,
        )
        self.t_mul, self.m_mul, self.alpha, self.name = t_mul, m_mul, alpha, name

    def __call__(self, step: Any) -> Value:
        waves = _number(step) / float(self.first_decay_steps)
        if self.t_mul == 1.0:
            number = floor(waves)
            fraction = waves - number
        else:
            growth = _number(self.t_mul)
            # The first n periods take 1 + t + ... + tⁿ⁻¹ = (1 - tⁿ) / (1 - t) times as many steps as the first period.
            number = floor(log(1.0 - waves * (1.0 - growth)) / log(growth))
            before = (1.0 - pow(growth, number)) / (1.0 - growth)
            fraction = (waves - before) / pow(growth, number)
        wave = 0.5 * pow(_number(self.m_mul), number) * (1.0 + cos(math.pi * fraction))
        return _number(self.initial_learning_rate) * ((1.0 - self.alpha) * wave + self.alpha)


_BY_NAME = {
    kind.__name__: kind
    for kind in (
        *(ExponentialDecay, InverseTimeDecay, PiecewiseConstantDecay, PolynomialDecay),
        *(CosineDecay, CosineDecayRestarts),
    )
}


def serialize(learning_rate_schedule: LearningRateSchedule) -> dict[str, Any]:
    """Convert a schedule to a dict of plain values.

    Args:
        learning_rate_schedule: The schedule.

    Returns:
        A dict with the name of the class and its arguments.

    Raises:
        TypeError: the argument is not a schedule.
    """
    if not isinstance(learning_rate_schedule, LearningRateSchedule):
        raise TapeTypeError(
            f"`serialize` expects a `LearningRateSchedule`. Received: {learning_rate_schedule!r}",
            fix="use `tf.keras.optimizers.schedules.CosineDecay(0.1, 1000)`",
        )
    return {
        "module": "keras.optimizers.schedules",
        "class_name": type(learning_rate_schedule).__name__,
        "config": learning_rate_schedule.get_config(),
        "registered_name": None,
    }


def deserialize(config: dict[str, Any], custom_objects: Any = None) -> LearningRateSchedule:
    """Create a schedule from the result of `serialize`.

    Args:
        config: The dict that `serialize` returned.
        custom_objects: Dict from names to classes of schedules that are not part of Keras.

    Returns:
        A new schedule.

    Raises:
        TypeError: the class name is unknown, or an argument is not a dict.
    """
    for given, argument in (
        (config, "config"),
        ({} if custom_objects is None else custom_objects, "custom_objects"),
    ):
        if not isinstance(given, dict):
            raise TapeTypeError(
                f"`{argument}` must be a dict. Received: {given!r}",
                fix=f"pass `{argument}={{...}}`",
            )
    known = _BY_NAME | (custom_objects or {})
    name = config.get("class_name")
    if name not in known:
        raise TapeTypeError(
            f"Unknown schedule: {name!r}.",
            fix=f"use one of {code_list(_BY_NAME)}, or pass `custom_objects={{{name!r}: {name}}}`",
        )
    schedule: LearningRateSchedule = known[name].from_config(config["config"])
    return schedule


__all__ = [
    "CosineDecay",
    "CosineDecayRestarts",
    "ExponentialDecay",
    "InverseTimeDecay",
    "LearningRateSchedule",
    "PiecewiseConstantDecay",
    "PolynomialDecay",
    "deserialize",
    "serialize",
]
