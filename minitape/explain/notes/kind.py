"""What a note is before it is told: declared once, seen in a call, told in words.

Kind     one thing worth a note, declared in `kinds`
Noted    one case of it: a call, and the events that show it
Words    what is said of a case
Scene    what the words may look at
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from minitape.explain.flow.calls import Call
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.program.text import sources_in
from minitape.explain.report import Factor, Place
from minitape.source_text import lines_of
from minitape.trace import events

_SHOWN = 60


@dataclass(frozen=True)
class Words:
    """`headline` says what is the matter, `label` stands under the marked line; then the whole sentence and what people do."""

    headline: str
    label: str
    message: str
    fix: str


@dataclass(frozen=True, eq=False)
class Kind:
    """One thing worth a note: its name in a report, the code of its page, its words."""

    slug: str
    code: str
    says: "Callable[[Scene], Words]"


@dataclass(frozen=True)
class Noted:
    """A case: in which call, and the number of the event to point at, or the place if no event has it.

    `visits` are the rounds of the call of which it is true, `lines` further lines that share it, `facts` what the sentence needs.
    """

    kind: Kind
    call: Call
    event: int
    at: events.Place | None = None
    lines: tuple[int, ...] = ()
    visits: tuple[int, ...] = ()
    factors: tuple[Factor, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict, compare=False)


class Scene:
    """What a sentence may need: the case, and how the user writes it."""

    def __init__(self, flow: Flow, noted: Noted) -> None:
        self.flow = flow
        self.noted = noted
        self.facts = noted.facts
        self.event = flow.placed(noted.event)
        self.target = noted.call.event.target_name or "the target"

    @property
    def is_repeated(self) -> bool:
        """Whether the gradient call ran again."""
        here = self.noted.call.event
        return any(
            each.event is not here and (each.event.at, each.event.text) == (here.at, here.text)
            for each in self.flow.calls.values()
        )

    @property
    def place(self) -> Place:
        """Where a teacher would point."""
        at = self.noted.at or self.event.at or self.noted.call.event.at
        return Place("", 0) if at is None else Place(*at)

    @property
    def expr(self) -> str:
        """What the user wrote at the event, on one line."""
        site = self.flow.innermost(self.event)
        text = " ".join((site.expression or site.code).split()) if site else "this"
        return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."

    @property
    def code(self) -> str:
        """The line to point at, as it stands in the file."""
        lines = lines_of(self.flow.texts.get(self.place.file, ""))
        return lines[self.place.line - 1] if 0 < self.place.line <= len(lines) else ""

    @property
    def asked(self) -> str | None:
        """The sources as the gradient call writes them."""
        return sources_in(self.noted.call.event.text)

    def name_of(self, variable: int) -> str:
        """What the user calls a variable."""
        made = self.flow.variables[variable]
        site = self.flow.innermost(made)
        named = site.target if site else None
        return made.name.removesuffix(":0") if "/" in made.name or not named else named
