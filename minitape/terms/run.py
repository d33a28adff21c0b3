"""A run whose numbers are explained: its names, its values, and its ops, which are run again when needed."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from minitape.core.values import Ints
from minitape.replay.reason import Reason
from minitape.replay.running import ReplayedInput, run
from minitape.terms.local import Local
from minitape.terms.model import Element, Factor, Number
from minitape.terms.trace_index import BackwardPass, Taken, TraceIndex
from minitape.timeline import Timeline
from minitape.trace.events import Numbers
from minitape.trace.trace import Trace

# The text in a trace for a rule that the program defines.
_OWN_RULE = "as defined by its own gradient function"


@contextmanager
def no_warnings() -> Iterator[None]:
    """Hide the warnings of ops that run again: they were already shown when the program ran."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class RunValues:
    """A run, for the modules that find the terms of its numbers."""

    def __init__(self, trace: Trace, timeline: Timeline) -> None:
        self.trace_index = TraceIndex(trace)
        self.names = timeline.names
        self._locals: dict[int, Local | Reason] = {}

    def local(self, taken: Taken) -> Local | Reason:
        """Return an op with its derivative, or the reason why it cannot be run again."""
        number = taken.op.number
        if number not in self._locals:
            self._locals[number] = self._run_again(taken)
        return self._locals[number]

    def forget(self, number: int) -> None:
        """Release an op; if it is needed again, it is run again."""
        self._locals.pop(number, None)

    def _run_again(self, taken: Taken) -> Local | Reason:
        op, is_minitape = taken.op, self.trace_index.is_minitape
        if self.trace_index.rules.get(op.name) == _OWN_RULE:
            return Reason.OWN_RULE
        given = []
        for numbers, is_operand in zip(taken.inputs, taken.operands, strict=True):
            array = Reason.EARLIER if numbers is None else self.trace_index.array(numbers)
            if isinstance(array, Reason):
                return array
            given.append(ReplayedInput(array, is_operand))
        again = run(op, given, is_minitape=is_minitape)
        if isinstance(again, Reason):
            return again
        if [tuple(out.shape) for out in op.outputs] != [np.shape(each) for each in again.arrays]:
            return Reason.SETTINGS
        reported = [self.trace_index.array(out) for out in op.outputs]
        arrays = [each for each in reported if not isinstance(each, Reason)]
        if len(arrays) == len(reported):
            again.take_outputs(arrays)  # so that the rules read exactly the values of the run
        return Local(again, op.name, is_minitape=is_minitape)

    # --- names ---

    def name(self, value: int) -> str:
        return self.names.get(value, "?")

    def goal(self, backward_pass: BackwardPass, value: int) -> str:
        """Return the name of the cotangent of a value: `∂loss/∂w`."""
        return (
            f"∂{backward_pass.requested.target_name or 'target'}/∂{_as_one_word(self.name(value))}"
        )

    # --- numbers ---

    def number(self, element: Element) -> Number | None:
        """Return the value of the element; None if the trace does not have it."""
        array = self.trace_index.array(self.trace_index.numbers(element))
        if isinstance(array, Reason):
            return None
        try:
            number: Number = np.asarray(array)[element.at].item()
        except IndexError:
            # in a modified trace, a cotangent and its value may differ in shape
            return None
        return number

    def factor(self, name: str, numbers: Numbers | None, index: Ints) -> Factor:
        """Return an element of a tensor as a factor."""
        element = self.trace_index.element(numbers, index)
        number = None if element is None else self.number(element)
        return Factor(indexed(name, index), number, element)

    def input(self, taken: Taken, position: int, offset: int) -> Factor:
        """Return an element of an input of an op as a factor, by its flat index."""
        numbers = taken.inputs[position]
        index = () if numbers is None else unraveled(offset, tuple(numbers.shape))
        given = taken.op.inputs[position]
        name = self.names.get(given.value) or given.text or "?"
        return self.factor(name, numbers, index)

    def output(self, taken: Taken, out: int, offset: int) -> Factor:
        numbers = taken.op.outputs[out]
        index = unraveled(offset, tuple(numbers.shape))
        return self.factor(self.name(numbers.id), numbers, index)


def indexed(name: str, index: Ints) -> str:
    """Return the name with an index, `w[2,1]`; for a single number only the name."""
    if not index:
        return name
    shown = name if name.startswith("∂") else _as_one_word(name)
    return f"{shown}[{','.join(map(str, index))}]"


def _as_one_word(name: str) -> str:
    """Return an expression in brackets, so that an index after it applies to all of it."""
    return name if re.fullmatch(r"#?[\w.]+(\[\d+\])?", name) else f"({name})"


def unraveled(offset: int, shape: Ints) -> Ints:
    return tuple(int(each) for each in np.unravel_index(offset, shape))


def is_index(index: Ints, shape: Ints) -> bool:
    """Whether an array of this shape has an element with this index."""
    return len(index) == len(shape) and all(0 <= i < n for i, n in zip(index, shape, strict=True))


def raveled(index: Ints, shape: Ints) -> int:
    return int(np.ravel_multi_index(index, shape)) if index else 0


def adds_up(terms: list[Number | None], number: Number | None, dtype: str) -> bool:
    """Return whether terms add up to a number within rounding errors; unknown terms count as adding up."""
    if number is None or any(each is None for each in terms):
        return True
    amounts = np.array(terms, complex)
    total, size = amounts.sum(), np.abs(amounts).sum()
    if not np.isfinite(size) or not np.isfinite(number):
        return bool(np.isfinite(total)) == bool(np.isfinite(number))
    return bool(abs(total - number) <= _DIGITS.get(dtype, 1e-4) * max(size, abs(number)))


# The allowed difference of sums in a dtype is a few hundred rounding errors.
_DIGITS = {"float64": 1e-12, "complex128": 1e-12, "float16": 0.05, "bfloat16": 0.3}
