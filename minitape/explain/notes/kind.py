"""The declaration of a note, a case of it in a call, and its description with the texts of the catalog.

NoteKind     one kind of note, declared in `kinds`
NoteCase     one case of it: a call, and the events that show it
Facts        what is known about a case; each kind declares its own subclass
NoteContext  what the text of a note may use

`NoteKind`, `NoteCase` and `NoteContext` are generic in the facts, so that mypy checks that a case has the facts that its
texts use.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.text import sources_in
from minitape.explain.report import Location, ScalingFactor, target_quoted
from minitape.explain.texts import report as report_texts
from minitape.source_text import lines_of
from minitape.templates import NoteText, code
from minitape.trace import events

_SHOWN = 60


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is known about a case of a note; each kind of note has a subclass."""


_Needed = TypeVar("_Needed", bound=Facts, contravariant=True)
_Given = TypeVar("_Given", bound=Facts, covariant=True)


@dataclass(frozen=True, eq=False)
class NoteKind(Generic[_Needed]):
    """One kind of note.

    Attributes:
        slug: Its name in a report.
        code: The code of its page.
        says: Returns the texts about a case.
    """

    slug: str
    code: str
    says: "Callable[[NoteContext[_Needed]], NoteText]"


@dataclass(frozen=True)
class NoteCase(Generic[_Given]):
    """One case of a note.

    Attributes:
        kind: Its kind.
        call: The gradient call.
        event: The event to point at.
        facts: The facts that the texts need.
        at: The location to point at, if it is not the location of an event.
        lines: Other lines with the same note.
        visits: The iterations of the call in which it is true.
        factors: The ops that scale the gradient, for vanishing and exploding gradients.
    """

    kind: NoteKind[_Given]
    call: GradientCall
    event: int
    facts: _Given = field(compare=False)
    at: events.SourceRange | None = None
    lines: tuple[int, ...] = ()
    visits: tuple[int, ...] = ()
    factors: tuple[ScalingFactor, ...] = ()

    def text(self, flow: FlowGraph) -> NoteText:
        """Return the text of the note."""
        return self.kind.says(NoteContext(flow, self))


class NoteContext(Generic[_Given]):
    """What the text of a note may use: the case, and the user's own expressions."""

    def __init__(self, flow: FlowGraph, note_case: NoteCase[_Given]) -> None:
        self.flow = flow
        self.note_case = note_case
        self.facts = note_case.facts
        self.event = flow.placed(note_case.event)
        name = note_case.call.event.target_name
        self.target = name or report_texts.THE_TARGET
        # The same names as they appear in a sentence, with code in backticks.
        self.the_target = target_quoted(name)

    @property
    def is_repeated(self) -> bool:
        """Whether the gradient call ran again."""
        here = self.note_case.call.event
        return any(
            each.event is not here and (each.event.at, each.event.text) == (here.at, here.text)
            for each in self.flow.calls.values()
        )

    @property
    def location(self) -> Location:
        """The location to point at."""
        at = self.note_case.at or self.event.at or self.note_case.call.event.at
        return Location("", 0) if at is None else Location(*at)

    @property
    def the_expr(self) -> str:
        """The user's expression at the event, in backticks, on one line."""
        site = self.flow.innermost(self.event)
        text = " ".join((site.expression or site.code).split()) if site else "this"
        return code(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...")

    @property
    def code(self) -> str:
        """The line of the file to point at."""
        lines = lines_of(self.flow.texts.get(self.location.file, ""))
        return lines[self.location.line - 1] if 0 < self.location.line <= len(lines) else ""

    @property
    def requested(self) -> str | None:
        """The sources as they are written in the gradient call."""
        return sources_in(self.note_case.call.event.text)

    def name_of(self, variable: int) -> str:
        """Return the user's name of a variable."""
        made = self.flow.variables[variable]
        site = self.flow.innermost(made)
        named = site.target if site else None
        return made.name.removesuffix(":0") if "/" in made.name or not named else named
