"""What a program is told that asks about its gradients: an explanation as one object, with text for people.

Explanation     some gradient calls, and why they came out as they did
Choice          which sources of which calls are meant
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Self

from minitape.explain.report import (
    SAYS,
    CallReport,
    Confidence,
    Finding,
    Note,
    Outcome,
    Report,
    SourceReport,
)

Choice = Callable[[CallReport, SourceReport], bool]


@dataclass(frozen=True)
class Explanation:
    """What there is to say about some gradient calls; its `str` is for people, `report` for programs.

    `notes` are sentences about the recording itself: what of the run is not known, and why.
    """

    report: Report
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no gradient was lost."""
        return self.report.ok

    def without(self, outcome: Outcome) -> Self:
        """The same without the sources that came out so."""
        return self.only(lambda _, source: source.outcome is not outcome)

    def only(self, is_meant: Choice) -> Self:
        """The same of some sources; a call of which none is left is left out too."""
        calls = (
            replace(call, sources=tuple(each for each in call.sources if is_meant(call, each)))
            for call in self.report.calls
        )
        return replace(self, report=self.report.of([call for call in calls if call.sources]))

    @property
    def blocks(self) -> "list[Block]":
        """What there is to tell, in order; findings that say the same stand together."""
        return _blocks(self.report)

    @property
    def noted(self) -> list[str]:
        """What is worth knowing of gradients that came back."""
        return list(map(_note_told, self.report.notes))

    @property
    def remarks(self) -> list[str]:
        """What there is to tell beside that: all is well, or not all is known."""
        told = []
        if not self.blocks:
            told += ["No gradient was lost." if self.report.calls else "No gradient was asked for."]
        return [*told, *self.notes]

    def __str__(self) -> str:
        return "\n".join([*dict.fromkeys(map(str, self.blocks)), *self.remarks, *self.noted])

    __repr__ = __str__


@dataclass
class Block:
    """What is told once: the findings that some sources of a call share, in some of its rounds."""

    call: CallReport
    source: SourceReport
    rounds: int
    names: list[str] = field(default_factory=list)
    visits: list[int] = field(default_factory=list)

    @property
    def headline(self) -> str:
        """What came back, and how often."""
        of = f" of {self.call.target_name}" if self.call.target_name else ""
        often = f", in {len(self.visits)} of {self.rounds} rounds" if self.rounds > 1 else ""
        names = _listed(self.names)
        return f"the gradient{of} with respect to {names} {SAYS[self.source.outcome]}{often}"

    def __str__(self) -> str:
        together = self.source.mending_said
        also = [f"  {together}"] if together else []
        return "\n".join([self.headline, *map(_told, self.source.findings), *also])


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _told(finding: Finding) -> str:
    sure = "" if finding.confidence is Confidence.CERTAIN else f" ({finding.confidence.value})"
    return "\n".join(
        [
            f"  {finding.place}: {finding.label}",
            f"    why : {finding.message}{sure}",
            f"    try : {finding.fix}",
            f"    more: minitape explain {finding.code}",
        ]
    )


def _note_told(note: Note) -> str:
    return "\n".join(
        [
            f"note: {note.headline}",
            f"  {note.place}: {note.label}",
            f"    why : {note.message}",
            f"    try : {note.fix}",
            f"    more: minitape explain {note.code}",
        ]
    )


def _blocks(report: Report) -> list[Block]:
    rounds = Counter(call.place for call in report.calls)
    blocks: dict[tuple[object, ...], Block] = {}
    for call in report.calls:
        for source in call.sources:
            if not source.findings:
                continue
            said = tuple((each.code, each.place, each.fix) for each in source.findings)
            block = blocks.setdefault(
                (call.place, source.outcome, said), Block(call, source, rounds[call.place])
            )
            block.names += [source.name] * (source.name not in block.names)
            block.visits += [call.visit] * (call.visit not in block.visits[-1:])
    return list(blocks.values())
