"""Optimizer: what all have in common; the steps themselves are on the other pages.

A step begins with the gradients of all variables. They are clipped; the weights shrink, if they are to (`weight_decay`); each
variable goes its way (`update_step`); then a running mean of the weights is kept (`use_ema`), and constraints are put in force.

Source: https://keras.io/api/optimizers/
"""

import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.arguments import flag
from minitape.core.convert import convert_to_tensor
from minitape.core.frames import frames_to_user
from minitape.core.tensor import ArrayFace, Tensor
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.errors import TapeTypeError, TapeValueError
from minitape.keras import config
from minitape.keras.naming import in_small_letters, names
from minitape.keras.optimizers import schedules
from minitape.keras.optimizers.gradients import Gradient, clipped, gradient_of
from minitape.keras.optimizers.slots import Remembering, Slots
from minitape.missing.known import Known
from minitape.ops.axes import real_number, whole_number


class Optimizer(Remembering, Known):
    """Changes variables by their gradients.

    It works for the variables that it was built with: those of the first `apply_gradients`, or of `build`.

    For an optimizer of your own: make slots in `build` by `add_variable_from_reference`, and write
    `update_step(self, gradient, variable, learning_rate)`, which changes the variable.

    Args:
        learning_rate: How far; a float, a schedule, or a function without arguments.
        weight_decay: Before each step, take this share, times the learning rate, off the variables.
        clipnorm: No gradient is longer than this; a longer one is shortened.
        clipvalue: No number of a gradient is further from 0 than this.
        global_clipnorm: All gradients as one vector are not longer than this.
        use_ema: Keep a running mean of the variables. `finalize_variable_values` puts it into them.
        ema_momentum: How slowly that mean follows.
        ema_overwrite_frequency: After so many steps the mean is put into the variables; None for never.
        loss_scale_factor: What `scale_loss` multiplies by, and gradients are divided by.
        gradient_accumulation_steps: Only each so-manieth call changes the variables, by the mean of the gradients since.
        name: By default that of the class, in small letters, numbered.

    Raises:
        ValueError: two ways to clip at once; a rate that is no float; a keyword that there is not.

    Source: https://keras.io/api/optimizers/
    """

    # The names of a subclass's own arguments, for `get_config`.
    _arguments: tuple[str, ...] = ()

    def __init__(
        self,
        learning_rate: Any,
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
        if kwargs:
            raise TapeValueError(
                f"Argument(s) not recognized: {kwargs}",
                fix=f"{type(self).__name__}(learning_rate=...), with the arguments that help() names",
            )
        self.weight_decay = weight_decay
        self.clipnorm, self.clipvalue, self.global_clipnorm = clipnorm, clipvalue, global_clipnorm
        self.use_ema, self.ema_momentum = use_ema, ema_momentum
        self.ema_overwrite_frequency = ema_overwrite_frequency
        self.loss_scale_factor = loss_scale_factor
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self._check()
        super().__init__(name or names.next_for(in_small_letters(type(self))))
        self._iterations = Variable(
            np.int64(0), trainable=False, name=f"{self.name}/iteration", dtype=dtypes.int64
        )
        self._rate = self._rate_from(learning_rate)
        self._undecayed: set[int] = set()
        self._undecayed_names: re.Pattern[str] | None = None

    def _check(self) -> None:
        limits = self.clipnorm, self.clipvalue, self.global_clipnorm
        if sum(limit is not None for limit in limits) > 1:
            raise TapeValueError(
                "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set.",
                fix="clipnorm=1.0 alone",
            )
        steps, every = self.gradient_accumulation_steps, self.ema_overwrite_frequency
        if steps is not None and whole_number(steps) < 2:
            raise TapeValueError(
                f"`gradient_accumulation_steps` must be an integer >= 2. Received: {steps}",
                fix="gradient_accumulation_steps=2, or None",
            )
        uses_ema = flag(self.use_ema, "use_ema")
        if uses_ema and not 0 <= real_number(self.ema_momentum) <= 1:
            raise TapeValueError(
                f"`ema_momentum` must be in the range [0, 1]. Received: {self.ema_momentum}",
                fix="ema_momentum=0.99",
            )
        if uses_ema and every is not None and (not isinstance(every, int) or every < 1):
            raise TapeValueError(
                f"`ema_overwrite_frequency` must be an integer >= 1 or None. Received: {every}",
                fix="ema_overwrite_frequency=100, or None",
            )

    # --- the learning rate ---

    def _rate_from(self, value: Any) -> Any:
        if callable(value):
            return value
        if not isinstance(value, float):
            raise TapeValueError(
                "Argument `learning_rate` should be float, or an instance of LearningRateSchedule, or a callable. "
                f"Received instead: learning_rate={value}",
                fix=f"{type(self).__name__}({float(value)})"
                if isinstance(value, int | np.number)
                else "learning_rate=0.01",
            )
        path = f"{self.name}/learning_rate"
        return Variable(value, trainable=False, name=path, dtype=config.float_dtype())

    @property
    def learning_rate(self) -> Any:
        """The rate of the next step."""
        if isinstance(self._rate, schedules.LearningRateSchedule):
            return self._rate(self._iterations)
        return self._rate() if callable(self._rate) else self._rate

    @learning_rate.setter
    def learning_rate(self, learning_rate: Any) -> None:
        if callable(learning_rate):
            self._rate = learning_rate
        elif isinstance(self._rate, schedules.LearningRateSchedule):
            raise TapeTypeError(
                "This optimizer was created with a `LearningRateSchedule`, hence its learning rate is not settable.",
                fix="an optimizer with a number for its learning_rate, or another schedule",
            )
        elif isinstance(self._rate, Variable):
            self._rate.assign(learning_rate)
        else:
            raise TapeTypeError(
                "The learning rate of this optimizer is a function: it cannot be assigned.",
                fix="optimizer.learning_rate = lambda: 0.01",
            )

    @property
    def iterations(self) -> Any:
        """How many steps there were; of accumulated gradients, how often they changed the variables."""
        if self.gradient_accumulation_steps:
            return self._iterations // self.gradient_accumulation_steps
        return self._iterations

    @property
    def _steps(self) -> int:
        return int(self._iterations._array) // (self.gradient_accumulation_steps or 1)

    @property
    def variables(self) -> list[Variable]:
        """The counter of steps, the learning rate, then what is remembered, in the order in which it was made."""
        rate = [self._rate] if isinstance(self._rate, Variable) else []
        return [self._iterations, *rate, *self._own_variables]

    def build(self, variables: Any) -> None:
        """Make what is remembered about these variables: from now on the optimizer is for them alone."""
        if self.built:
            return
        self._begin(list(variables))
        if self.use_ema:
            self._make_slots({"average": 0.0})
        if self.gradient_accumulation_steps:
            self._make_slots({"gradient_accumulator": 0.0})
        for slots in self._remembers():
            self._make_slots(slots)
        self.built = True

    def _remembers(self) -> list[dict[str, float]]:
        """The slots of each variable by name, with the number that they begin with, in Keras's order."""
        return []

    def set_weights(self, weights: Any) -> None:
        """Store numbers in all its `variables`, in their order.

        Raises:
            ValueError: it was not built, or a shape differs.
        """
        if not self.built:
            raise TapeValueError(
                "An optimizer that has not yet been built has nothing to store weights in.",
                fix="optimizer.build(model.trainable_variables) first",
            )
        for variable, weight in zip(self.variables, weights, strict=False):
            variable.assign(weight)

    # --- a step ---

    def apply_gradients(self, grads_and_vars: Any) -> Variable:
        """Change each variable by its gradient.

        Args:
            grads_and_vars: Pairs of gradient and variable, as `zip(gradients, variables)` makes them. A gradient may be an
                IndexedSlices. A variable whose gradient is None stays as it is, with a warning.

        Returns:
            The counter of steps.

        Raises:
            ValueError: there is no pair, all gradients are None, or the optimizer was built for other variables.
            InvalidArgumentError: a gradient has not the shape of its variable.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise TapeValueError(
                "There are no gradients to apply: the list of pairs is empty.",
                fix="call the model once before reading model.trainable_variables: the first call makes them",
                code="MT601",
            )
        gradients, variables = zip(*pairs, strict=True)
        self.apply(gradients, variables)
        return self._iterations

    def apply(self, grads: Any, trainable_variables: Any = None) -> None:
        """As `apply_gradients`, with two lists; the second may be left out of an optimizer that was built.

        Raises:
            ValueError: as there; without variables, the optimizer was not built, or for more or fewer of them.
        """
        given = list(grads)
        if not given:
            return
        if trainable_variables is None:
            trainable_variables = self._built_for(len(given))
        variables = list(trainable_variables)
        if len(given) != len(variables):
            raise TapeValueError(
                f"{len(given)} gradients were given for {len(variables)} variables.",
                fix="optimizer.apply(tape.gradient(loss, variables), variables)",
            )
        if not self.built:
            self.build(variables)
        self._check_known(variables)
        pairs = _with_gradient(list(zip(given, variables, strict=True)))
        changed = [variable for _, variable in pairs]
        gradients = [gradient_of(variable, gradient) for gradient, variable in pairs]
        if self.loss_scale_factor is not None:
            scale = self.loss_scale_factor
            gradients = [each.with_numbers(lambda numbers: numbers / scale) for each in gradients]
        if self.gradient_accumulation_steps:
            self._accumulate(gradients, changed, self.gradient_accumulation_steps)
        else:
            self._change(gradients, changed)
        if self.use_ema:
            self._follow()
        for variable in changed:
            if variable.constraint is not None:
                variable.assign(variable.constraint(variable))
        self._iterations.assign_add(np.int64(1))

    def _built_for(self, count: int) -> list[Variable]:
        if not self.built:
            raise TapeValueError(
                "When passing `grads` without `variables`, the optimizer must already be built.",
                fix="optimizer.build(variables) first, or optimizer.apply(grads, variables)",
            )
        if count != len(self._trained):
            raise TapeValueError(
                f"Received {count} gradients, but the optimizer is tracking {len(self._trained)} trainable variables.",
                fix="one gradient for each variable, in the order in which the optimizer was built",
            )
        return self._trained

    def _check_known(self, variables: Sequence[Variable]) -> None:
        for variable in variables:
            if variable._id not in self._slots:
                raise TapeValueError(
                    f"Unknown variable: '{variable.path}', of shape {variable.shape}. This optimizer can only be called "
                    "for the variables it was originally built with.",
                    fix="an optimizer of its own for other variables, or optimizer.build(all_variables) before the first step",
                )

    def _accumulate(self, gradients: list[Gradient], changed: list[Variable], steps: int) -> None:
        """Add up, and change the variables by the mean when there are enough."""
        sums = []
        for gradient, variable in zip(gradients, changed, strict=True):
            slot = self._slots[variable._id]["gradient_accumulator"]
            slot.numbers = gradient.dense + slot.numbers
            sums.append(slot.numbers)
        if (int(self._iterations._array) + 1) % steps:
            return
        self._change([Gradient(each / steps, None, each.shape) for each in sums], changed)
        for slots in self._slots.values():
            slots["gradient_accumulator"].numbers = np.zeros_like(
                slots["gradient_accumulator"].numbers
            )

    def _change(self, gradients: list[Gradient], changed: list[Variable]) -> None:
        """One step with gradients for some of the variables."""
        gradients = clipped(gradients, self.clipnorm, self.clipvalue, self.global_clipnorm)
        rate = self.learning_rate
        number = _as_number(rate)
        if self.weight_decay is not None:
            for variable in changed:
                self._decay(variable, number)
        self._begin_step()
        is_ours = type(self).update_step is Optimizer.update_step
        for gradient, variable in zip(gradients, changed, strict=True):
            if is_ours:
                self._move(gradient, variable, number)
            else:
                self.update_step(gradient.as_given(), variable, convert_to_tensor(rate))

    def _begin_step(self) -> None:
        """For what changes once a step and not once a variable."""

    def _move(self, gradient: Gradient, variable: Variable, rate: float) -> None:
        # No name for the variable's numbers here: they change where they are only if nobody else holds them.
        number = variable.dtype.numpy.type
        slots = self._slots[variable._id]
        variable._lower(self._step(gradient, variable._array, number(rate), slots))

    def _step(self, gradient: Gradient, value: Array, rate: Array, slots: Slots) -> Array:
        """What to subtract from the variable; the slots are brought up to date on the way."""
        raise NotImplementedError(f"{type(self).__name__} has no `update_step`.")

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        self._move(gradient_of(variable, gradient), variable, _as_number(learning_rate))

    def assign(self, variable: Any, value: Any) -> None:
        """`variable.assign(value)`, in the variable's dtype."""
        variable.assign(_in_dtype(variable, value))

    def assign_add(self, variable: Any, value: Any) -> None:
        """`variable.assign_add(value)`, in the variable's dtype."""
        variable.assign_add(_in_dtype(variable, value))

    def assign_sub(self, variable: Any, value: Any) -> None:
        """`variable.assign_sub(value)`, in the variable's dtype."""
        variable.assign_sub(_in_dtype(variable, value))

    # --- what can be had beside it ---

    def exclude_from_weight_decay(self, var_list: Any = None, var_names: Any = None) -> None:
        """Let some variables not shrink.

        Args:
            var_list: The variables themselves.
            var_names: Patterns; a variable whose name holds one of them does not shrink.
        """
        self._undecayed = {variable._id for variable in var_list or ()}
        self._undecayed_names = re.compile("|".join(sorted(set(var_names)))) if var_names else None

    def _decay(self, variable: Variable, rate: float) -> None:
        by_name = self._undecayed_names
        if variable._id in self._undecayed or (by_name and by_name.search(variable.name)):
            return
        value = variable._array
        number = value.dtype.type
        variable.assign(value - value * constant(self.weight_decay or 0.0, number) * number(rate))

    def _follow(self) -> None:
        """Let the means follow the variables; the first step puts the variables into them."""
        momentum = self.ema_momentum if self._steps else 0.0
        for variable in self._trained:
            slot = self._slots[variable._id]["average"]
            slot.numbers = momentum * slot.numbers + (1 - momentum) * variable._array
        if self.ema_overwrite_frequency and (self._steps + 1) % self.ema_overwrite_frequency == 0:
            self.finalize_variable_values(self._trained)

    def finalize_variable_values(self, var_list: Any) -> None:
        """Put the running means into the variables; without `use_ema`, nothing."""
        if self.use_ema:
            for variable in var_list:
                variable.assign(self._slots[variable._id]["average"])

    def scale_loss(self, loss: Any) -> Any:
        """The loss times `loss_scale_factor`, if there is one: its gradients are divided by it again."""
        return loss if self.loss_scale_factor is None else loss * self.loss_scale_factor

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one, as plain values."""
        rate = self._rate
        if isinstance(rate, schedules.LearningRateSchedule):
            rate = schedules.serialize(rate)
        elif isinstance(rate, Variable):
            rate = float(rate._array)
        common = {
            "name": self.name,
            "learning_rate": rate,
            "weight_decay": self.weight_decay,
            "clipnorm": self.clipnorm,
            "global_clipnorm": self.global_clipnorm,
            "clipvalue": self.clipvalue,
            "use_ema": self.use_ema,
            "ema_momentum": self.ema_momentum,
            "ema_overwrite_frequency": self.ema_overwrite_frequency,
            "loss_scale_factor": self.loss_scale_factor,
            "gradient_accumulation_steps": self.gradient_accumulation_steps,
        }
        return common | {name: getattr(self, name) for name in self._arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> "Optimizer":
        """An optimizer from what `get_config` gave.

        Args:
            config: The arguments.
            custom_objects: Schedules of your own by the name of their class.
        """
        arguments = dict(config)
        if isinstance(arguments.get("learning_rate"), dict):
            rate = schedules.deserialize(arguments["learning_rate"], custom_objects)
            arguments["learning_rate"] = rate
        return cls(**arguments)


def _as_number(rate: Any) -> float:
    return float(rate._array if isinstance(rate, ArrayFace) else rate)


def _in_dtype(variable: Variable, value: Any) -> Tensor:
    array = convert_to_tensor(value, dtype_hint=variable.dtype)._array
    return convert_to_tensor(array.astype(variable._array.dtype))


def _with_gradient(pairs: list[Any]) -> list[Any]:
    """The pairs that have a gradient; the others are named in a warning."""
    lost = [variable for gradient, variable in pairs if gradient is None]
    if not lost:
        return pairs
    if len(lost) == len(pairs):
        raise TapeValueError(
            "No gradients provided for any variable.",
            fix="minitape explain script.py, which says where each got lost",
            code="MT601",
        )
    warnings.warn(
        f"Gradients do not exist for variables {[variable.path for variable in lost]} "
        "when minimizing the loss. minitape explain says why.",
        stacklevel=frames_to_user(),
    )
    return [pair for pair in pairs if pair[0] is not None]


def constant(value: float, number: Any) -> Any:
    """Keras makes some constants in float32 and widens them, which shows in float64."""
    return number(np.float32(value))
