"""What a program is told that asks about its gradients: an explanation as one object, with text for people.

Explanation     some gradient calls, and why they came out as they did
Choice          which sources of which calls are meant
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from minitape.explain.mistakes import Mistake, in_all, mistakes_of
from minitape.explain.report import CallReport, Note, Outcome, Report, SourceReport
from minitape.printable import printable_lines

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
    def mistakes(self) -> list[Mistake]:
        """What there is to tell, in the order in which to mend it; findings of one cause on one line stand together."""
        return mistakes_of(self.report)

    @property
    def noted(self) -> list[str]:
        """What is worth knowing of gradients that came back."""
        return list(map(_note_told, self.report.notes))

    @property
    def remarks(self) -> list[str]:
        """What there is to tell beside that: all is well, or not all is known."""
        told = []
        if self.ok:
            told += ["No gradient was lost." if self.report.calls else "No gradient was asked for."]
        return [*told, *self.notes]

    def __str__(self) -> str:
        mistakes = self.mistakes
        told = [*in_all(mistakes, self.report), *map(str, mistakes), *self.remarks, *self.noted]
        return printable_lines("\n".join(told))

    __repr__ = __str__


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
