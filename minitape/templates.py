"""Templates are texts with named placeholders. This module also defines how code and lists are written in a sentence.

Entry           the three templates of a case
NoteEntry       the four templates of a note
Template        one text with placeholders
DiagnosticText  the texts of a case, with the placeholders filled in
NoteText        the texts of a note, with the placeholders filled in
code            an expression in backticks, for a sentence
all_of          the beginning of a sentence about all of some things: `Both gradients`, `All 3 gradients`
joined          a list as it is written in a sentence, such as `a, b and c`
lines           line numbers as they are written in a sentence, such as `lines 3 and 4`
"""

import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

_FORMATTER = string.Formatter()


@dataclass(frozen=True)
class DiagnosticText:
    """The texts of a case, with the placeholders filled in.

    Attributes:
        label: Shown under the marked line.
        message: The full explanation.
        fix: What to write instead.
    """

    label: str
    message: str
    fix: str


@dataclass(frozen=True)
class Template:
    """A text with named placeholders: `Template("{name} is overwritten")`."""

    text: str

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """The names in braces."""
        return frozenset(name for _, name, _, _ in _FORMATTER.parse(self.text) if name is not None)

    def __call__(self, **values: object) -> str:
        """Return the text with its placeholders filled in.

        Raises:
            TypeError: A placeholder has no value, or a value has no placeholder.
        """
        _check(self.placeholders, values, self.text)
        return self.text.format(**values)


@dataclass(frozen=True)
class Entry:
    """The catalog's entry for one case: the templates of its label, its explanation and its fix."""

    label: str
    why: str
    fix: str

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """The names in braces in all three templates."""
        parts = (self.label, self.why, self.fix)
        return frozenset[str]().union(*(Template(each).placeholders for each in parts))

    def __call__(self, **values: object) -> DiagnosticText:
        """Return the texts of a case.

        Raises:
            TypeError: A placeholder has no value, or a value has no placeholder.
        """
        _check(self.placeholders, values, self.label)
        return DiagnosticText(
            self.label.format(**values), self.why.format(**values), self.fix.format(**values)
        )


@dataclass(frozen=True)
class NoteText:
    """The texts of a note, with the placeholders filled in.

    Attributes:
        headline: What is wrong, in one line.
        label: Shown under the marked line.
        message: The full explanation.
        fix: What to do.
    """

    headline: str
    label: str
    message: str
    fix: str


@dataclass(frozen=True)
class NoteEntry:
    """The catalog's entry for one kind of note: the templates of its headline, its label, its explanation and its fix."""

    headline: str
    label: str
    why: str
    fix: str

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """The names in braces in all four templates."""
        parts = (self.headline, self.label, self.why, self.fix)
        return frozenset[str]().union(*(Template(each).placeholders for each in parts))

    def __call__(self, **values: object) -> NoteText:
        """Return the texts of a note.

        Raises:
            TypeError: A placeholder has no value, or a value has no placeholder.
        """
        _check(self.placeholders, values, self.headline)
        parts = (self.headline, self.label, self.why, self.fix)
        return NoteText(*(each.format(**values) for each in parts))


def code(text: object) -> str:
    """Return an expression or a name in backticks, as it is quoted in a sentence."""
    return f"`{text}`"


def all_of(count: int, nouns: str) -> str:
    """Return the beginning of a sentence about all of at least two things, such as `All 3 gradients`.

    Args:
        count: Their number.
        nouns: The noun in the plural.
    """
    return f"Both {nouns}" if count == 2 else f"All {count:,} {nouns}"


def joined(texts: Sequence[object]) -> str:
    """Return a list as it is written in a sentence: `a`, `a and b`, `a, b and c`."""
    *first, last = map(str, texts)
    return f"{', '.join(first)} and {last}" if first else last


def lines(numbers: Sequence[int]) -> str:
    """Return line numbers as they are written in a sentence: `line 3`, `lines 3 and 4`."""
    return f"{'line' if len(numbers) == 1 else 'lines'} {joined(numbers)}"


def _check(placeholders: frozenset[str], values: dict[str, object], text: str) -> None:
    if placeholders != values.keys():
        wrong = ", ".join(sorted(placeholders ^ values.keys()))
        raise TypeError(f"Placeholders and values differ in {wrong}, in the text {text!r}.")
