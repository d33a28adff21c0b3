"""What a cause may look at, and what it says."""

import re
from dataclasses import dataclass
from typing import Any

from minitape.debug.breaks import Break
from minitape.debug.flow import Call, Flow
from minitape.debug.trace import Event

_SHOWN = 60


@dataclass(frozen=True)
class Words:
    """`label` stands under the marked line, `message` is the whole sentence, `fix` is what to write instead."""

    label: str
    message: str
    fix: str


class Scene:
    """What a sentence may need: the call, the source, the break, and how the user writes it all."""

    def __init__(self, flow: Flow, call: Call, source: dict[str, Any], found: Break) -> None:
        self.flow = flow
        self.call = call
        self.found = found
        self.facts = found.facts
        self.event = flow.event(found.event)
        self.source = str(source["name"])
        self.value = int(source["t"] or 0)
        self.target = str(call.event["target_name"] or "the target")
        self.tape = self.with_line("the tape", self.tape_event)

    # --- places ---

    @property
    def tape_event(self) -> Event | None:
        entered = self.flow.tapes[self.call.tape].entered
        return self.flow.event(entered[0]) if entered else None

    def line_of(self, event: Event | None) -> int | str | None:
        """The line of an event, and its file where the finding points to another: cells and modules count their own lines."""
        at = None if event is None else event.get("at")
        if at is None:
            return None
        line = int(at[1])
        return line if self.place is None or at[0] == self.place[0] else f"{line} of {at[0]}"

    def with_line(self, what: str, event: Event | None) -> str:
        line = self.line_of(event)
        return what if line is None else f"{what} (line {line})"

    @property
    def line(self) -> int | str | None:
        """The line of the event itself."""
        return self.line_of(self.event)

    @property
    def place(self) -> list[Any] | None:
        """Where a teacher would point: `[file, line, column, end line, end column]`."""
        if self.found.at is not None:
            return [*self.found.at, -1, -1, -1]
        if self.found.site is not None:
            return list(self.flow.sites[self.found.site]["at"])
        at = self.event.get("at") or self.call.event["at"]
        return None if at is None else list(at)

    @property
    def place_line(self) -> int:
        return 0 if self.place is None else int(self.place[1])

    @property
    def place_site(self) -> Event | None:
        """The site to point at; None where only its line is known."""
        if self.found.at is not None:
            return None
        if self.found.site is not None:
            return self.flow.sites[self.found.site]
        return self.flow.sites[self.event["stack"][-1]] if self.event.get("stack") else None

    def outer_line(self, event: Event) -> int:
        """The line of the outermost call of the user's that led to `event`."""
        return int(self.flow.sites[event["stack"][0]]["at"][1]) if event["stack"] else 0

    # --- the user's own words ---

    @property
    def tape_name(self) -> str:
        """The tape as the gradient call writes it."""
        written = re.match(
            r"([\w.\[\]'\"]+)\.(gradient|jacobian|batch_jacobian|explain)\b", self.call_text
        )
        return written[1] if written else "tape"

    @property
    def call_text(self) -> str:
        return str(self.call.event["text"])

    @property
    def whole_expr(self) -> str:
        """The user's expression at the break, on one line."""
        return self._written(self.event)

    @property
    def expr(self) -> str:
        """The same, no longer than fits into a sentence."""
        return self.expr_of(self.event)

    def expr_of(self, event: Event) -> str:
        text = self._written(event)
        return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."

    def _written(self, event: Event) -> str:
        if not event.get("stack"):
            return str(event.get("name", "this"))
        site = self.flow.sites[event["stack"][-1]]
        return " ".join(str(site["expr"] or site["code"]).split())

    def code_of(self, event: Event) -> str:
        if not event.get("stack"):
            return ""
        return str(self.flow.sites[event["stack"][-1]]["code"])

    def name_of(self, value: int) -> str:
        """What the user calls a value: its name, the text that stands for it, or where it was made."""
        born = self.flow.born.get(value)
        if born is not None and born["k"] == "read":
            return self.name_of(born["var"])
        name = self.flow.name(value)
        if name is not None and name != "Variable":
            return name
        if born is None:
            return "a value"
        if born["k"] == "constant" and born["text"]:
            return str(born["text"])
        if value in self.flow.variables:
            line = self.line_of(born)
            return "a variable" if line is None else f"the variable of line {line}"
        return self.expr_of(born)

    @property
    def result(self) -> str:
        """What the user calls the outcome of the statement to point at, else its expression."""
        if self.found.site is None:
            return self.result_of(self.event)
        site = self.flow.sites[self.found.site]
        return str(site["target"] or site["expr"] or site["code"])

    def result_of(self, event: Event) -> str:
        """What the user calls the outcome of an event's op, else the expression."""
        return str(event.get("target_name") or self.expr_of(event))

    @property
    def share(self) -> str:
        """What to add where only a part of the gradient is lost."""
        if not self.facts.get("partial"):
            return ""
        return (
            " A gradient arrives on other ways, but the share that flows through here is missing."
        )
