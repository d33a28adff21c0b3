"""`Optimizer`, the base class. The other modules define the update rules.

A step starts with the gradients of all variables. They are clipped, the variables are decayed (`weight_decay`), and each
variable is updated (`update_step`). Then the moving average of the variables is updated (`use_ema`) and the constraints
are applied.

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
from minitape.core.tensor import Tensor, TensorLike
from minitape.core.values import Array
from minitape.core.variable import Variable
from minitape.errors import TapeTypeError, TapeValueError
from minitape.keras import config
from minitape.keras.naming import names, snake_case
from minitape.keras.optimizers import schedules
from minitape.keras.optimizers.gradients import VariableGradient, clipped, gradient_of
from minitape.keras.optimizers.slots import SlotOwner, Slots
from minitape.ops.axes import real_number, whole_number
from minitape.unsupported.attribute_errors import HelpfulAttributes


class Optimizer(SlotOwner, HelpfulAttributes):
    """Base class of optimizers, which update variables using their gradients.

    An optimizer works only for the variables that it was built with, which are the variables in the first call to
    `apply_gradients` or `build`.

    For a custom optimizer, create its state in `build` with `add_variable_from_reference`, and define
    `update_step(self, gradient, variable, learning_rate)`, which updates the variable.

    Args:
        learning_rate: Learning rate η: a float, a `LearningRateSchedule`, or a function without arguments.
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
        ValueError: more than one limit for clipping is set, `learning_rate` is not a float, another argument is out of
            range, or a keyword is unknown.

    Source: https://keras.io/api/optimizers/
    """

    # Names of the arguments that a subclass adds; `get_config` reads them.
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
                fix=f"write `{type(self).__name__}(learning_rate=...)`; `help({type(self).__name__})` lists the arguments",
            )
        self.weight_decay = weight_decay
        self.clipnorm, self.clipvalue, self.global_clipnorm = clipnorm, clipvalue, global_clipnorm
        self.use_ema, self.ema_momentum = use_ema, ema_momentum
        self.ema_overwrite_frequency = ema_overwrite_frequency
        self.loss_scale_factor = loss_scale_factor
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self._check()
        super().__init__(name or names.next_for(snake_case(type(self))))
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
                fix="pass only `clipnorm=1.0`",
            )
        steps, every = self.gradient_accumulation_steps, self.ema_overwrite_frequency
        if steps is not None and whole_number(steps) < 2:
            raise TapeValueError(
                f"`gradient_accumulation_steps` must be an integer >= 2. Received: {steps}",
                fix="pass `gradient_accumulation_steps=2` or `None`",
            )
        uses_ema = flag(self.use_ema, "use_ema")
        if uses_ema and not 0 <= real_number(self.ema_momentum) <= 1:
            raise TapeValueError(
                f"`ema_momentum` must be in the range [0, 1]. Received: {self.ema_momentum}",
                fix="pass `ema_momentum=0.99`",
            )
        if uses_ema and every is not None and (not isinstance(every, int) or every < 1):
            raise TapeValueError(
                f"`ema_overwrite_frequency` must be an integer >= 1 or None. Received: {every}",
                fix="pass `ema_overwrite_frequency=100` or `None`",
            )

    # --- the learning rate ---

    def _rate_from(self, value: Any) -> Any:
        if callable(value):
            return value
        if not isinstance(value, float):
            raise TapeValueError(
                "Argument `learning_rate` should be float, or an instance of LearningRateSchedule, or a callable. "
                f"Received instead: learning_rate={value}",
                fix=f"use `{type(self).__name__}({float(value)})`"
                if isinstance(value, int | np.number)
                else "pass `learning_rate=0.01`",
            )
        path = f"{self.name}/learning_rate"
        return Variable(value, trainable=False, name=path, dtype=config.float_dtype())

    @property
    def learning_rate(self) -> Any:
        """Return the learning rate of the next step."""
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
                fix="create an optimizer with a float as `learning_rate`, or assign another schedule",
            )
        elif isinstance(self._rate, Variable):
            self._rate.assign(learning_rate)
        else:
            raise TapeTypeError(
                "The learning rate of this optimizer is a function, so it cannot be assigned.",
                fix="write `optimizer.learning_rate = lambda: 0.01`",
            )

    @property
    def iterations(self) -> Any:
        """Return the number of steps; with accumulated gradients, the number of updates."""
        if self.gradient_accumulation_steps:
            return self._iterations // self.gradient_accumulation_steps
        return self._iterations

    @property
    def _steps(self) -> int:
        return int(self._iterations._array) // (self.gradient_accumulation_steps or 1)

    @property
    def variables(self) -> list[Variable]:
        """Return the step counter, the learning rate, then the state of the optimizer in the order of its creation."""
        rate = [self._rate] if isinstance(self._rate, Variable) else []
        return [self._iterations, *rate, *self._own_variables]

    def build(self, variables: Any) -> None:
        """Create the state for some variables. After that, the optimizer accepts no other variables.

        Args:
            variables: The variables to train.
        """
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
        """Return the names and initial values of each variable's slots, in Keras's order."""
        return []

    def set_weights(self, weights: Any) -> None:
        """Set the values of all `variables`, in their order.

        Args:
            weights: List of arrays.

        Raises:
            ValueError: the optimizer is not built, or the shape of an array does not match its variable.
        """
        if not self.built:
            raise TapeValueError(
                "`set_weights` was called on an optimizer that has not been built.",
                fix="call `optimizer.build(model.trainable_variables)` first",
            )
        for variable, weight in zip(self.variables, weights, strict=False):
            variable.assign(weight)

    # --- a step ---

    def apply_gradients(self, grads_and_vars: Any) -> Variable:
        """Update each variable using its gradient.

        Args:
            grads_and_vars: Pairs (gradient, variable), such as `zip(gradients, variables)`. A gradient may be an
                `IndexedSlices`. A variable whose gradient is None is not changed, and a warning names the variable.

        Returns:
            The step counter.

        Raises:
            ValueError: there are no pairs, all gradients are None, or the optimizer was built for other variables.
            InvalidArgumentError: the shapes of a gradient and its variable differ.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise TapeValueError(
                "There are no gradients to apply, because the list of pairs is empty.",
                fix="call the model once before reading `model.trainable_variables`, because the first call creates the "
                "variables",
                code="MT601",
            )
        gradients, variables = zip(*pairs, strict=True)
        self.apply(gradients, variables)
        return self._iterations

    def apply(self, grads: Any, trainable_variables: Any = None) -> None:
        """Update variables using their gradients, given two separate lists.

        Args:
            grads: The gradients, as in `apply_gradients`.
            trainable_variables: The variables, in the order of `grads`; None means the variables that the optimizer was
                built with.

        Raises:
            ValueError: a condition of `apply_gradients` is violated, the numbers of gradients and variables differ, or
                `trainable_variables` is None and the optimizer is not built.
        """
        given = list(grads)
        if not given:
            return
        if trainable_variables is None:
            trainable_variables = self._built_for(len(given))
        variables = list(trainable_variables)
        if len(given) != len(variables):
            raise TapeValueError(
                f"`apply` received {len(given)} gradients for {len(variables)} variables.",
                fix="call `optimizer.apply(tape.gradient(loss, variables), variables)`",
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
                fix="call `optimizer.build(variables)` first, or call `optimizer.apply(grads, variables)`",
            )
        if count != len(self._trained):
            raise TapeValueError(
                f"Received {count} gradients, but the optimizer is tracking {len(self._trained)} trainable variables.",
                fix="pass one gradient for each variable, in the order in which the optimizer was built",
            )
        return self._trained

    def _check_known(self, variables: Sequence[Variable]) -> None:
        for variable in variables:
            if variable._id not in self._slots:
                raise TapeValueError(
                    f"Unknown variable: '{variable.path}', of shape {variable.shape}. This optimizer can only be called "
                    "for the variables it was originally built with.",
                    fix="use a second optimizer for the other variables, or call `optimizer.build(all_variables)` before the "
                    "first step",
                )

    def _accumulate(
        self, gradients: list[VariableGradient], changed: list[Variable], steps: int
    ) -> None:
        """Sum the gradients, and after `steps` calls update the variables with their mean."""
        sums = []
        for gradient, variable in zip(gradients, changed, strict=True):
            slot = self._slots[variable._id]["gradient_accumulator"]
            slot.numbers = gradient.dense + slot.numbers
            sums.append(slot.numbers)
        if (int(self._iterations._array) + 1) % steps:
            return
        self._change([VariableGradient(each / steps, None, each.shape) for each in sums], changed)
        for slots in self._slots.values():
            slots["gradient_accumulator"].numbers = np.zeros_like(
                slots["gradient_accumulator"].numbers
            )

    def _change(self, gradients: list[VariableGradient], changed: list[Variable]) -> None:
        """Run one update with the gradients of some of the variables."""
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
        """Update state that changes once per step rather than once per variable."""

    def _move(self, gradient: VariableGradient, variable: Variable, rate: float) -> None:
        # There is no local name for the variable's array, because the array is updated in place only if nothing else
        # references it.
        number = variable.dtype.numpy.type
        slots = self._slots[variable._id]
        variable._lower(self._step(gradient, variable._array, number(rate), slots))

    def _step(self, gradient: VariableGradient, value: Array, rate: Array, slots: Slots) -> Array:
        """Return the value to subtract from the variable, and update the slots."""
        raise NotImplementedError(f"`{type(self).__name__}` has no `update_step`.")

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Update one variable using its gradient.

        Args:
            gradient: A tensor or an `IndexedSlices`.
            variable: The variable.
            learning_rate: The learning rate of this step.
        """
        self._move(gradient_of(variable, gradient), variable, _as_number(learning_rate))

    def assign(self, variable: Any, value: Any) -> None:
        """Assign a value to a variable, cast to its dtype.

        Args:
            variable: The variable.
            value: The new value.
        """
        variable.assign(_in_dtype(variable, value))

    def assign_add(self, variable: Any, value: Any) -> None:
        """Add a value to a variable, cast to its dtype.

        Args:
            variable: The variable.
            value: The value to add.
        """
        variable.assign_add(_in_dtype(variable, value))

    def assign_sub(self, variable: Any, value: Any) -> None:
        """Subtract a value from a variable, cast to its dtype.

        Args:
            variable: The variable.
            value: The value to subtract.
        """
        variable.assign_sub(_in_dtype(variable, value))

    # --- weight decay, moving averages, loss scaling ---

    def exclude_from_weight_decay(self, var_list: Any = None, var_names: Any = None) -> None:
        """Exclude variables from weight decay.

        Args:
            var_list: The variables.
            var_names: Regular expressions; a variable whose name contains a match is excluded.
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
        """Update the moving averages; the first step sets them to the values of the variables."""
        momentum = self.ema_momentum if self._steps else 0.0
        for variable in self._trained:
            slot = self._slots[variable._id]["average"]
            slot.numbers = momentum * slot.numbers + (1 - momentum) * variable._array
        if self.ema_overwrite_frequency and (self._steps + 1) % self.ema_overwrite_frequency == 0:
            self.finalize_variable_values(self._trained)

    def finalize_variable_values(self, var_list: Any) -> None:
        """Assign the moving averages to the variables; without `use_ema`, do nothing.

        Args:
            var_list: The variables.
        """
        if self.use_ema:
            for variable in var_list:
                variable.assign(self._slots[variable._id]["average"])

    def scale_loss(self, loss: Any) -> Any:
        """Multiply the loss by `loss_scale_factor` if it is set; `apply` divides the gradients by the same factor.

        Args:
            loss: The loss.

        Returns:
            The scaled loss.
        """
        return loss if self.loss_scale_factor is None else loss * self.loss_scale_factor

    def get_config(self) -> dict[str, Any]:
        """Return the constructor arguments that recreate this optimizer, as plain values.

        Returns:
            A dict.
        """
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
        """Create an optimizer from the result of `get_config`.

        Args:
            config: The arguments.
            custom_objects: Dict from names to classes of schedules that are not part of Keras.

        Returns:
            A new optimizer.
        """
        arguments = dict(config)
        if isinstance(arguments.get("learning_rate"), dict):
            rate = schedules.deserialize(arguments["learning_rate"], custom_objects)
            arguments["learning_rate"] = rate
        return cls(**arguments)


def _as_number(rate: Any) -> float:
    return float(rate._array if isinstance(rate, TensorLike) else rate)


def _in_dtype(variable: Variable, value: Any) -> Tensor:
    array = convert_to_tensor(value, dtype_hint=variable.dtype)._array
    return convert_to_tensor(array.astype(variable._array.dtype))


def _with_gradient(pairs: list[Any]) -> list[Any]:
    """Return the pairs that have a gradient; a warning names the variables of all other pairs."""
    lost = [variable for gradient, variable in pairs if gradient is None]
    if not lost:
        return pairs
    if len(lost) == len(pairs):
        raise TapeValueError(
            "No gradients provided for any variable.",
            fix="run `minitape explain SCRIPT`, which reports where each gradient was lost",
            code="MT601",
        )
    warnings.warn(
        f"Gradients do not exist for variables {[variable.path for variable in lost]} "
        "when minimizing the loss. Run `minitape explain` to see why.",
        stacklevel=frames_to_user(),
    )
    return [pair for pair in pairs if pair[0] is not None]


def constant(value: float, number: Any) -> Any:
    """Round a number to float32 and convert it to a NumPy type, because Keras creates some constants in float32.

    Args:
        value: The number.
        number: The NumPy type of the result.

    Returns:
        A NumPy scalar.
    """
    return number(np.float32(value))
