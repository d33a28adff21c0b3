"""Where the numbers on a page are from, as the page's script reads it: which elements of an op meet, said once for all ops alike.

What it is made of comes from `origin/described.py`, which runs ops again; this room knows neither them nor NumPy.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from minitape.story import Story
from minitape.trace.events import Numbers
from minitape.trace.writing import strict

Spot = tuple[int, int]  # an event, and the slot of a tensor in it
Number = float | complex | None


@dataclass(frozen=True, slots=True)
class Factor:
    """A number with its name, and where it stands itself: the spot, and the place in its flattened tensor."""

    text: str
    number: Number
    spot: Spot | None
    place: int


@dataclass(frozen=True, slots=True)
class Told:
    """What one element is made of, in so many words: terms are amounts with their factors."""

    said: str
    rule: str
    function: str
    word: str
    terms: tuple[tuple[Number, tuple[Factor, ...]], ...]


@dataclass(frozen=True, slots=True)
class Made:
    """How the numbers of a tensor came about.

    Args:
        how: `op`, `share`, `rows`, `sum`, `same`, `told` or `end`.
        op: The number of the op that computed or sent them.
        position: Which of its outputs they are, or to which of its inputs they were sent.
        spots: What arrived at its outputs; the tensors that are added up, or the one that these are the same as.
        said: What each of those that are added up is called; of an end, why it is one.
        rows: Whether the leading axis counts rows of a Jacobian.
        places: Of rows that were sent in place of a table, for each element the one of the cotangent that it is.
        told: What is to be said of each element, where no pattern says it.
    """

    how: str
    op: int = 0
    position: int = 0
    spots: tuple[Spot | None, ...] = ()
    said: tuple[str, ...] = ()
    rows: bool = False
    places: tuple[int, ...] = ()
    told: tuple["Told", ...] = ()


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor that can be asked: its numbers, and what it is called."""

    numbers: Numbers
    name: str
    made: Made


@dataclass(frozen=True, slots=True)
class Op:
    """An op: its pattern, and its tensors in order."""

    pattern: int
    name: str
    rule: str
    inputs: tuple[Spot | None, ...]
    outputs: tuple[Spot, ...]
    slopes: dict[int, list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Described:
    """All of a run that a page needs to tell where its numbers are from.

    `patterns` say which elements meet, as `plain/meeting.js` reads them.
    """

    patterns: list[dict[str, Any]]
    ops: dict[int, Op]
    tensors: dict[Spot, Tensor]


_HOW = ("op", "share", "rows", "sum", "same", "end", "told")


def as_data(
    told: Described,
    story: Story,
    text: Callable[[str], int],
    tensor: Callable[[Numbers], int | None],
) -> dict[str, Any]:
    """Columns over the tensors; positions stand for spots, texts and tensors.

    Args:
        told: What is known of the run.
        story: Its steps.
        text: Gives the position of a text.
        tensor: Gives the position of a tensor, None for one without axes.
    """
    at = {spot: position for position, spot in enumerate(told.tensors)}
    step_of = {step.event: step.index for step in story.steps}
    all_of_them = told.tensors.values()

    def of(spot: Spot | None) -> int:
        return -1 if spot is None else at.get(spot, -1)

    known = {id(each.numbers): at[spot] for spot, each in told.tensors.items()}
    return {
        "patterns": told.patterns,
        "ops": {
            number: [
                op.pattern,
                text(op.name),
                text(op.rule),
                [of(each) for each in op.inputs],
                [of(each) for each in op.outputs],
                *([op.slopes] if op.slopes else []),
            ]
            for number, op in told.ops.items()
        },
        "tensor": [tensor(each.numbers) for each in all_of_them],
        "one": [_single(each.numbers) for each in all_of_them],
        "name": [text(each.name) for each in all_of_them],
        "step": [step_of.get(event, -1) for event, _ in told.tensors],
        "made": [_made(each.made, of, text) for each in all_of_them],
        "facts": [[known.get(id(fact.tensor), -1) for fact in step.facts] for step in story.steps],
    }


def _single(numbers: Numbers) -> Any:
    """The number of a tensor without axes."""
    return None if numbers.shape else _number(numbers.data)


def _number(number: Any) -> Any:
    """What JSON has no number for as JavaScript calls it; complex ones as Python writes them."""
    return str(number) if isinstance(number, complex) else strict(number)


def _told(told: Told, of: Callable[[Spot | None], int], text: Callable[[str], int]) -> list[Any]:
    words = [text(each) for each in (told.said, told.rule, told.function, told.word)]
    terms = [
        [
            _number(amount),
            *([text(f.text), _number(f.number), of(f.spot), f.place] for f in factors),
        ]
        for amount, factors in told.terms
    ]
    return [*words, terms]


def _made(made: Made, of: Callable[[Spot | None], int], text: Callable[[str], int]) -> list[Any]:
    how = _HOW.index(made.how)
    spots, said = [of(each) for each in made.spots], [text(each) for each in made.said]
    match made.how:
        case "op":
            return [how, made.op, made.position]
        case "share":
            return [how, made.op, made.position, spots, int(made.rows)]
        case "rows":
            return [how, made.op, spots, made.places]
        case "sum":
            return [how, spots, said]
        case "same":
            return [how, *spots]
        case "told":
            return [how, made.op, [_told(each, of, text) for each in made.told]]
    return [how, *said]
