"""How the numbers on a page were computed, as data for its script: patterns of dependent elements, stored once for equal ops.

`terms/described.py` creates the content by running ops again; this package depends on neither the engine nor NumPy.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from minitape.timeline import Timeline
from minitape.trace.events import Numbers
from minitape.trace.writing import strict

TensorSlot = tuple[int, int]  # an event, and the slot of a tensor in it
Number = float | complex | None


@dataclass(frozen=True, slots=True)
class FactorData:
    """A number with its name and its origin: the slot, and the flat index in the tensor."""

    text: str
    number: Number
    slot: TensorSlot | None
    index: int


@dataclass(frozen=True, slots=True)
class ExpandedElement:
    """How one element was computed if there is no pattern: its terms are numbers with their factors."""

    text: str
    rule: str
    function: str
    word: str
    terms: tuple[tuple[Number, tuple[FactorData, ...]], ...]


@dataclass(frozen=True, slots=True)
class Made:
    """How the numbers of a tensor were computed.

    Args:
        how: `op`, `share`, `rows`, `sum`, `same`, `reported` or `end`.
        op: The number of the op that computed or sent the numbers.
        position: The index of the output to which the numbers belong, or of the input to which they were sent.
        slots: The cotangents of the outputs, or the tensors that are summed, or the tensor to which these numbers are equal.
        texts: The names of the tensors that are summed; for an end, the reason.
        rows: Whether the first axis contains the rows of a Jacobian.
        indices: For rows that were sent instead of a table, the index in the cotangent of each element.
        reported: How each element was computed, if it has no pattern.
    """

    how: str
    op: int = 0
    position: int = 0
    slots: tuple[TensorSlot | None, ...] = ()
    texts: tuple[str, ...] = ()
    rows: bool = False
    indices: tuple[int, ...] = ()
    reported: tuple["ExpandedElement", ...] = ()


@dataclass(frozen=True, slots=True)
class TensorData:
    """A tensor that can be selected: its numbers, and its name."""

    numbers: Numbers
    name: str
    made: Made


@dataclass(frozen=True, slots=True)
class OpData:
    """An op: its pattern, and its tensors in order."""

    pattern: int
    name: str
    rule: str
    inputs: tuple[TensorSlot | None, ...]
    outputs: tuple[TensorSlot, ...]
    derivatives: dict[int, list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class SmallTape:
    """The tape of a small gradient call, which the page's script can compute with other values of its inputs.

    Values and ops have positions: their indices on the page.

    Args:
        sizes: The number of elements of each value.
        leaves: The elements of each value that no op of the tape computed, keyed by its position.
        ops: The ops in order: kind, name, positions of the inputs, position of the output, and the elements that depend on
            each other, in the form that `plain/tape.js` reads.
        target: The position of the target, its recorded value, and the seed.
        name: The name of the target.
        inputs: The elements that a reader can change: the name of the element, the position of its value, and its flat index;
            sources come first.
        sources: The positions of the sources.
        positions: The position of each value, keyed by its id in the trace.
        op_positions: The position of each op, keyed by its number in the trace.
    """

    sizes: list[int]
    leaves: dict[int, list[float]]
    ops: list[list[Any]]
    target: tuple[int, float, float]
    name: str
    inputs: list[tuple[str, int, int]]
    sources: list[int]
    positions: dict[int, int]
    op_positions: dict[int, int]


@dataclass(frozen=True)
class Described:
    """The data of a run with which a page shows how its numbers were computed.

    `patterns` are the dependent elements, in the form that `plain/meeting.js` reads. `small_tape` returns the tape of a gradient
    call, or None if the script cannot compute it.
    """

    patterns: list[dict[str, Any]]
    ops: dict[int, OpData]
    tensors: dict[TensorSlot, TensorData]
    small_tape: Callable[[int], SmallTape | None] = lambda call: None


_HOW = ("op", "share", "rows", "sum", "same", "end", "listed")


def as_data(
    reported: Described,
    timeline: Timeline,
    text: Callable[[str], int],
    tensor: Callable[[Numbers], int | None],
) -> dict[str, Any]:
    """Return columns over the tensors; slots, texts and tensors are represented by their indices.

    Args:
        reported: How the numbers were computed.
        timeline: The steps of the run.
        text: Returns the index of a text.
        tensor: Returns the index of a tensor; None for a tensor of rank 0.
    """
    at = {slot: position for position, slot in enumerate(reported.tensors)}
    step_of = {step.event: step.index for step in timeline.steps}
    all_of_them = reported.tensors.values()

    def of(slot: TensorSlot | None) -> int:
        return -1 if slot is None else at.get(slot, -1)

    known = {id(each.numbers): at[slot] for slot, each in reported.tensors.items()}
    return {
        "patterns": reported.patterns,
        "ops": {
            number: [
                op.pattern,
                text(op.name),
                text(op.rule),
                [of(each) for each in op.inputs],
                [of(each) for each in op.outputs],
                *([op.derivatives] if op.derivatives else []),
            ]
            for number, op in reported.ops.items()
        },
        "tensor": [tensor(each.numbers) for each in all_of_them],
        "one": [_single(each.numbers) for each in all_of_them],
        "name": [text(each.name) for each in all_of_them],
        "step": [step_of.get(event, -1) for event, _ in reported.tensors],
        "made": [_made(each.made, of, text) for each in all_of_them],
        "facts": [
            [known.get(id(fact.tensor), -1) for fact in step.facts] for step in timeline.steps
        ],
    }


def _single(numbers: Numbers) -> Any:
    """Return the number of a tensor of rank 0."""
    return None if numbers.shape else _number(numbers.data)


def _number(number: Any) -> Any:
    """Return numbers that JSON lacks as their JavaScript names, and complex numbers in Python's notation."""
    return str(number) if isinstance(number, complex) else strict(number)


def _reported(
    reported: ExpandedElement, of: Callable[[TensorSlot | None], int], text: Callable[[str], int]
) -> list[Any]:
    words = [
        text(each) for each in (reported.text, reported.rule, reported.function, reported.word)
    ]
    terms = [
        [
            _number(amount),
            *([text(f.text), _number(f.number), of(f.slot), f.index] for f in factors),
        ]
        for amount, factors in reported.terms
    ]
    return [*words, terms]


def _made(
    made: Made, of: Callable[[TensorSlot | None], int], text: Callable[[str], int]
) -> list[Any]:
    how = _HOW.index(made.how)
    slots, names = [of(each) for each in made.slots], [text(each) for each in made.texts]
    match made.how:
        case "op":
            return [how, made.op, made.position]
        case "share":
            return [how, made.op, made.position, slots, int(made.rows)]
        case "rows":
            return [how, made.op, slots, made.indices]
        case "sum":
            return [how, slots, names]
        case "same":
            return [how, *slots]
        case "listed":
            return [how, made.op, [_reported(each, of, text) for each in made.reported]]
    return [how, *names]
