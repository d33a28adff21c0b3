"""What is declared of an op: all that there is to know of it before it runs.

A declaration says, in this order: TensorFlow's name, the kernel that computes with NumPy, one vjp rule for each argument, how the
op meets a stack of values (`batch`), which numbers its rules read (`saves`), and the sentence that teaches it (`rule`).

A rule is called as `rule(ybar, y, *inputs, **settings)` and returns the cotangent owed to its own input. It is written with
ops and operators only, so it can be differentiated again, and it sees every value in one of these forms:

    Array     no tape is looking: the rule runs at NumPy speed
    Tensor    another tape records the walk: second order
    Batched   many cotangents at once: a row of a Jacobian each
    Outline   `saves` says that the rule does not read these numbers

`saves` is one word for each rule (or one for all): the letters of what that rule reads, `a`, `b`, `c` ... for the inputs in
order, `x` for a single input, `y` for the output. What no rule reads is not kept. Where a rule reads less of the output than
its numbers, `gist` says what: of relu's, only which elements are positive, and that is a byte for each.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any

from minitape.core.registry import PRIMITIVES, TEACHERS
from minitape.core.values import Array

Rule = Callable[..., Any]
BatchRule = Callable[..., Any]

# For `accepts`: which kinds of NumPy dtype an op computes with; V is that of bfloat16.
NUMBERS = "fVciu"
SMOOTH = "fVc"
NO_TEXTS = "fVciub"
ANY = "fVciubO"


class NoGradient:
    """Stands in for the rules of an op that has none, and says why.

    `answer` is what TensorFlow's tape does there: "none" ends the path, "missing" raises LookupError. A path that ends may
    begin anew at the output, which can be asked for like any value of the tape; `begins_anew` is False where it must not.
    """

    def __init__(self, reason: str, answer: str, *, begins_anew: bool = True) -> None:
        self.reason = reason
        self.answer = answer
        self.begins_anew = begins_anew


def no_gradient(reason: str, *, begins_anew: bool = True) -> NoGradient:
    """The op has no slope by nature: the path ends here, and the gradient is None."""
    return NoGradient(reason, "none", begins_anew=begins_anew)


def not_registered(reason: str) -> NoGradient:
    """Nobody has given TensorFlow a rule: differentiating through the op raises LookupError."""
    return NoGradient(reason, "missing")


class EveryInput:
    """Stands in for the rules of an op with any number of inputs: one rule, told the position of its own.

    It is called as `rule(position, ybar, y, *inputs, **settings)`.
    """

    def __init__(self, rule: Rule) -> None:
        self.rule = rule

    def __getitem__(self, position: int) -> Rule:
        return partial(self.rule, position)


class _SameForAll:
    """What rules read where it is the same for each input, however many there are."""

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def __getitem__(self, position: int) -> int:
        return self._bits

    def __iter__(self) -> Iterator[int]:
        return repeat(self._bits)


# For `outputs`: as many as the kernel returns, which is a tuple then.
AS_MANY_AS_COMPUTED = 0


class Declaration:
    """An op as it is declared; that it also runs is what `Primitive` adds."""

    def __init__(
        self,
        name: str,
        kernel: Callable[..., Any],
        *,
        vjp: Sequence[Rule | None] | EveryInput | NoGradient,
        batch: BatchRule | None = None,
        saves: str | Sequence[str] = "",
        gist: Callable[[Array], Array] | None = None,
        rule: str = "",
        accepts: str = NUMBERS,
        alike: Sequence[int] | None = None,
        outputs: int = 1,
        gives_zero: bool = False,
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
        self.gist = gist
        self.rule = rule or (vjp.reason if isinstance(vjp, NoGradient) else "")
        self.accepts = accepts
        self.alike = None if alike is None else frozenset(alike)
        self.outputs = outputs
        self.reason = vjp.reason if isinstance(vjp, NoGradient) else ""
        self.gradient = (
            vjp.answer if isinstance(vjp, NoGradient) else "zero" if gives_zero else "rule"
        )
        self.is_unseen = isinstance(vjp, NoGradient) and not vjp.begins_anew
        self.reads: tuple[int, ...] | _SameForAll
        if isinstance(self.rules, EveryInput) or not self.rules:
            self.reads = _SameForAll(_positions("".join(saves)))
        else:
            words = [saves] * len(self.rules) if isinstance(saves, str) else list(saves)
            self.reads = tuple(_positions(word) for word in words)
        self.all_reads = _positions("".join(saves))
        if listed:  # an op that a user's function makes for one call is no part of the catalogue
            PRIMITIVES[name] = self
            for teach in TEACHERS:
                teach(self)

    def __repr__(self) -> str:
        return f"<primitive {self.name}>"


OUTPUT = 1 << 16
_LETTERS = "abcdefgh"


def _positions(word: str) -> int:
    """The letters of `saves` as bits: bit i for input i, OUTPUT for y."""
    bits = 0
    for letter in word:
        bits |= OUTPUT if letter == "y" else 1 if letter == "x" else 1 << _LETTERS.index(letter)
    return bits
