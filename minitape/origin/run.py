"""A run that is asked about: its names, its numbers, and its ops run again when they are needed."""

import re

import numpy as np

from minitape.again.reason import Reason
from minitape.again.running import Given, run
from minitape.core.values import Ints
from minitape.origin.heard import Heard, Taken, Walk
from minitape.origin.local import Local
from minitape.origin.model import Element, Factor, Number
from minitape.story import Story
from minitape.trace.events import Numbers
from minitape.trace.trace import Trace

# What a trace says of an op whose rule the program brought.
_OWN_RULE = "as its own gradient function says"


class Run:
    """What is known of a run, for those who tell where its numbers are from."""

    def __init__(self, trace: Trace, story: Story) -> None:
        self.heard = Heard(trace)
        self.names = story.names
        self._locals: dict[int, Local | Reason] = {}

    def local(self, taken: Taken) -> Local | Reason:
        """An op with its derivative, or why it cannot be run again."""
        number = taken.op.number
        if number not in self._locals:
            self._locals[number] = self._run_again(taken)
        return self._locals[number]

    def forget(self, number: int) -> None:
        """Let go of an op; it runs once more if it is asked for again."""
        self._locals.pop(number, None)

    def _run_again(self, taken: Taken) -> Local | Reason:
        op, is_minitape = taken.op, self.heard.is_minitape
        if self.heard.rules.get(op.name) == _OWN_RULE:
            return Reason.OWN_RULE
        given = []
        for numbers, is_operand in zip(taken.inputs, taken.operands, strict=True):
            array = Reason.EARLIER if numbers is None else self.heard.array(numbers)
            if isinstance(array, Reason):
                return array
            given.append(Given(array, is_operand))
        again = run(op, given, is_minitape=is_minitape)
        if isinstance(again, Reason):
            return again
        told = [self.heard.array(out) for out in op.outputs]
        if len(told) != len(again.arrays):
            return Reason.SETTINGS
        arrays = [each for each in told if not isinstance(each, Reason)]
        if len(arrays) == len(told):
            again.take_outputs(arrays)  # the rules read what the run had, to the last digit
        return Local(again, op.name, is_minitape=is_minitape)

    # --- names ---

    def name(self, value: int) -> str:
        return self.names.get(value, "?")

    def goal(self, walk: Walk, value: int) -> str:
        """How the cotangent of a value is written: `∂loss/∂w`."""
        return f"∂{walk.asked.target_name or 'target'}/∂{_as_one_word(self.name(value))}"

    # --- numbers ---

    def number(self, element: Element) -> Number | None:
        """The number itself; None where the trace does not have it."""
        array = self.heard.array(self.heard.numbers(element))
        if isinstance(array, Reason):
            return None
        try:
            number: Number = np.asarray(array)[element.at].item()
        except IndexError:  # a changed trace: the cotangent has another shape than its value
            return None
        return number

    def factor(self, name: str, numbers: Numbers | None, index: Ints) -> Factor:
        """An element of a tensor as a factor."""
        element = self.heard.element(numbers, index)
        number = None if element is None else self.number(element)
        return Factor(indexed(name, index), number, element)

    def input(self, taken: Taken, position: int, place: int) -> Factor:
        """An element of an input of an op, by its place in the flattened tensor."""
        numbers = taken.inputs[position]
        index = () if numbers is None else unraveled(place, tuple(numbers.shape))
        given = taken.op.inputs[position]
        name = self.names.get(given.value) or given.text or "?"
        return self.factor(name, numbers, index)

    def output(self, taken: Taken, out: int, place: int) -> Factor:
        numbers = taken.op.outputs[out]
        index = unraveled(place, tuple(numbers.shape))
        return self.factor(self.name(numbers.id), numbers, index)


def indexed(name: str, index: Ints) -> str:
    """`w[2,1]`; of a single number just its name."""
    if not index:
        return name
    shown = name if name.startswith("∂") else _as_one_word(name)
    return f"{shown}[{','.join(map(str, index))}]"


def _as_one_word(name: str) -> str:
    """An expression in brackets, so that an index behind it belongs to all of it."""
    return name if re.fullmatch(r"#?[\w.]+(\[\d+\])?", name) else f"({name})"


def unraveled(place: int, shape: Ints) -> Ints:
    return tuple(int(each) for each in np.unravel_index(place, shape))


def raveled(index: Ints, shape: Ints) -> int:
    return int(np.ravel_multi_index(index, shape)) if index else 0


def adds_up(terms: list[Number | None], number: Number | None, dtype: str) -> bool:
    """Whether amounts come to a number, as far as its last digits can be trusted; what is not known is not held against them."""
    if number is None or any(each is None for each in terms):
        return True
    amounts = np.array(terms, complex)
    total, size = amounts.sum(), np.abs(amounts).sum()
    if not np.isfinite(size) or not np.isfinite(number):
        return bool(np.isfinite(total)) == bool(np.isfinite(number))
    return bool(abs(total - number) <= _DIGITS.get(dtype, 1e-4) * max(size, abs(number)))


# How far sums of numbers of a dtype may lie apart: some hundreds of roundings.
_DIGITS = {"float64": 1e-12, "complex128": 1e-12, "float16": 0.05, "bfloat16": 0.3}
