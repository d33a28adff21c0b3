"""The declaration of an op contains everything that is known about it before it runs.

A declaration lists, in this order: TensorFlow's name, the kernel that computes with NumPy, one vjp rule for each input, the
batch rule (`batch`), the values that the rules read (`residuals`), and a sentence that explains the rules (`rule`).

A rule is called as `rule(ybar, y, *inputs, **settings)` and returns the cotangent of its own input. It is written with
ops and operators only, so it can be differentiated again. Its arguments have one of these types:

    Array       no tape records the rule: it runs at NumPy speed
    Tensor      another tape records the backward pass: second order
    Batched     many cotangents at once: one row of a Jacobian each
    ShapeDtype  `residuals` shows that the rule does not read these values

`residuals` is one string for each rule (or one for all) with the letters of the values that the rule reads: `a`, `b`, `c` ...
for the inputs in order, `x` for a single input, `y` for the output. These values are the residuals of the op: a tape saves them
for the backward pass, and only them. If a rule needs less than the values of the output, `output_residual` computes what it
needs. For relu, that is only which elements are positive, at one byte per element.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import repeat
from typing import Any

from minitape.core.registry import DTYPE_HOOKS, PRIMITIVES
from minitape.core.values import Array, Ints

Rule = Callable[..., Any]
BatchRule = Callable[..., Any]

# The values that a rule reads, as flags in an int: READS_OUTPUT for the output, READS_INPUT[i] for input i. The flags are an
# int instead of a frozenset, because `Primitive` uses them whenever it records an op, and creating a record takes 40% longer
# with sets.
Reads = int
EVERY_INPUT = "abcdefghijklmnopqrstuvw"  # the letters of `residuals` before x, y and z
NO_READS = 0
READS_OUTPUT = 1
READS_INPUT = tuple(2 << position for position in range(len(EVERY_INPUT)))

# For `dtype_kinds`: the kinds of NumPy dtypes that an op supports; V is that of bfloat16.
NUMERIC_KINDS = "fVciu"
DIFFERENTIABLE_KINDS = "fVc"
NON_STRING_KINDS = "fVciub"
ANY = "fVciubO"


def is_differentiable(value: Any) -> bool:
    """Return whether the values of an Array or ShapeDtype are real or complex floats; no other values have derivatives."""
    return value.dtype.kind in DIFFERENTIABLE_KINDS


class NoGradient:
    """Replaces the rules of an op that has none, and contains the reason.

    `answer` is the behavior of TensorFlow's tape: "none" ends the path, "missing" raises LookupError. After a path has ended, the
    output of the op can still be the source of a gradient, like any value on the tape, unless `restarts_at_output` is False.
    """

    def __init__(self, reason: str, answer: str, *, restarts_at_output: bool = True) -> None:
        self.reason = reason
        self.answer = answer
        self.restarts_at_output = restarts_at_output


def no_gradient(reason: str, *, restarts_at_output: bool = True) -> NoGradient:
    """Declare that an op is not differentiable: the path ends at the op, and the gradient is None.

    Args:
        reason: Completes the sentence "`tf.argmax(...)` on line 11 is not differentiable: ...".
        restarts_at_output: Whether the output of the op can be the source of a gradient.
    """
    return NoGradient(reason, "none", restarts_at_output=restarts_at_output)


def not_registered(reason: str) -> NoGradient:
    """Declare that TensorFlow has no rule for the op: differentiating through it raises LookupError.

    Args:
        reason: A sentence without its final period that gives the reason in the error message.
    """
    return NoGradient(reason, "missing")


class EveryInput:
    """Replaces the rules of an op with any number of inputs by one rule, which also gets the position of its input.

    It is called as `rule(position, ybar, y, *inputs, **settings)`.
    """

    def __init__(self, rule: Rule) -> None:
        self.rule = rule

    def __getitem__(self, position: int) -> Rule:
        return partial(self.rule, position)


class _SameForAll:
    """The values that the rules of an op with any number of inputs read; every rule reads the same values."""

    def __init__(self, residual_masks: Reads) -> None:
        self._reads = residual_masks

    def __getitem__(self, position: int) -> Reads:
        return self._reads

    def __iter__(self) -> Iterator[Reads]:
        return repeat(self._reads)


# For `outputs`: the kernel returns a tuple, and its length is the number of outputs.
VARIADIC = 0


class Declaration:
    """The declaration of an op; the subclass `Primitive` can also run it.

    Args:
        name: TensorFlow's name of the op.
        kernel: Computes the output from arrays, with the settings as keywords.
        vjp: One rule for each input, None for an input that is not differentiable; `EveryInput` for any number of inputs;
            `NoGradient` for an op without rules.
        batch: The batch rule, called as `batch(op, stacked, *values, **settings)`; None for a loop with a warning.
        residuals: The letters of the values that the rules read: one string for all rules, or one for each rule.
        output_residual: A function that computes what the rules need of the output, if they need less than its values.
        rule: The sentence that explains the rules.
        dtype_kinds: The supported kinds of dtypes, as letters.
        same_dtype_args: The positions of inputs that must have the same dtype; None for all.
        outputs: The number of outputs, or VARIADIC.
        zero_gradient: Whether the gradient is always 0.
        listed: Whether the op is registered in the catalog.
    """

    def __init__(
        self,
        name: str,
        kernel: Callable[..., Any],
        *,
        vjp: Sequence[Rule | None] | EveryInput | NoGradient,
        batch: BatchRule | None = None,
        residuals: str | Sequence[str] = "",
        output_residual: Callable[[Array], Array] | None = None,
        rule: str = "",
        dtype_kinds: str = NUMERIC_KINDS,
        same_dtype_args: Sequence[int] | None = None,
        outputs: int = 1,
        zero_gradient: bool = False,
        listed: bool = True,
    ) -> None:
        self.name = name
        self.kernel = kernel
        self.rules: tuple[Rule | None, ...] | EveryInput = (
            ()
            if isinstance(vjp, NoGradient)
            else vjp
            if isinstance(vjp, EveryInput)
            else tuple(vjp)
        )
        self.batch = batch
        self.output_residual = output_residual
        self.rule = rule or (vjp.reason if isinstance(vjp, NoGradient) else "")
        self.dtype_kinds = dtype_kinds
        self.same_dtype_args = None if same_dtype_args is None else frozenset(same_dtype_args)
        self.outputs = outputs
        self.reason = vjp.reason if isinstance(vjp, NoGradient) else ""
        self.gradient = (
            vjp.answer if isinstance(vjp, NoGradient) else "zero" if zero_gradient else "rule"
        )
        self.hidden_from_tape = isinstance(vjp, NoGradient) and not vjp.restarts_at_output
        self.residual_masks: tuple[Reads, ...] | _SameForAll
        if isinstance(self.rules, EveryInput) or not self.rules:
            self.residual_masks = _SameForAll(_reads("".join(residuals)))
        else:
            words = [residuals] * len(self.rules) if isinstance(residuals, str) else list(residuals)
            self.residual_masks = tuple(_reads(word) for word in words)
        self.residual_mask = _reads("".join(residuals))
        if listed:  # an op that is created for a single call is not part of the catalog
            PRIMITIVES[name] = self
            for hook in DTYPE_HOOKS:
                hook(self)

    def __repr__(self) -> str:
        return f"<primitive {self.name}>"


_FLAG_OF = dict(zip(EVERY_INPUT, READS_INPUT, strict=True)) | {
    "x": READS_INPUT[0],
    "y": READS_OUTPUT,
}


def _reads(letters: str) -> Reads:
    """Return the flags of the letters of `residuals`: `x` is the only input of an op, `a` the first of several."""
    flags = NO_READS
    for letter in letters:
        flags |= _FLAG_OF[letter]
    return flags


@cache
def inputs_read(residual_masks: Reads, count: int) -> Ints:
    """Return the positions of the inputs, among the first `count`, whose values a rule reads."""
    read = [position for position, flag in enumerate(READS_INPUT[:count]) if residual_masks & flag]
    return tuple(read)


def output_read(residual_masks: Reads) -> bool:
    """Whether a rule reads the values of the output."""
    return bool(residual_masks & READS_OUTPUT)
