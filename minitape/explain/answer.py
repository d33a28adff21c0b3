"""The explanation of a program's gradients as one object, with text for people.

Explanation     some gradient calls, and why they returned what they returned
Choice          selects sources of calls
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from minitape.explain.mistakes import Mistake, in_all, mistakes_of
from minitape.explain.report import CallReport, GradientNote, Outcome, Report, SourceReport
from minitape.explain.texts import report as texts
from minitape.printable import printable_lines

Choice = Callable[[CallReport, SourceReport], bool]


@dataclass(frozen=True)
class Explanation:
    """The explanation of some gradient calls; its `str` is for people, `report` for programs.

    Attributes:
        report: The explanation as data.
        notes: Sentences about the recording itself: what is not known about the run, and why.
    """

    report: Report
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return self.report.ok

    def without(self, outcome: Outcome) -> Self:
        """Return the same explanation without the sources that have this outcome."""
        return self.only(lambda _, source: source.outcome is not outcome)

    def only(self, is_meant: Choice) -> Self:
        """Return the same explanation for some sources only; calls without such a source are dropped."""
        calls = (
            replace(call, sources=tuple(each for each in call.sources if is_meant(call, each)))
            for call in self.report.calls
        )
        return replace(self, report=self.report.of([call for call in calls if call.sources]))

    @property
    def mistakes(self) -> list[Mistake]:
        """The mistakes in the order in which to fix them; findings of one cause on one line are one mistake."""
        return mistakes_of(self.report)

    @property
    def note_sentences(self) -> list[str]:
        """The notes on gradients that came back but have little effect."""
        return list(map(_note_reported, self.report.notes))

    @property
    def further_sentences(self) -> list[str]:
        """Additional sentences: that nothing was found, or that a part of the run is not known."""
        reported = []
        if self.ok:
            reported += [texts.NO_PROBLEM if self.report.calls else texts.NO_GRADIENT_REQUESTED]
        return [*reported, *self.notes]

    def __str__(self) -> str:
        mistakes = self.mistakes
        reported = [
            *in_all(mistakes, self.report),
            *map(str, mistakes),
            *self.further_sentences,
            *self.note_sentences,
        ]
        return printable_lines("\n".join(reported))

    __repr__ = __str__


def _note_reported(note: GradientNote) -> str:
    return "\n".join(
        [
            f"note: {note.headline}",
            f"  {note.location}: {note.label}",
            f"    why : {note.message}",
            f"    try : {note.fix}",
            f"    more: minitape explain {note.code}",
        ]
    )
