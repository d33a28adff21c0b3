"""Templates: texts with named placeholders, and the small rules of how code and lists are written in a sentence.

Entry      the three texts of a case
NoteEntry  the four texts of a note
Template   one text
Words      an entry after its placeholders are filled in; NoteWords of a note
code       an expression as a sentence quotes it
joined     a list as a sentence has it
lines      some lines as a sentence names them
"""

import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

_FORMATTER = string.Formatter()


@dataclass(frozen=True)
class Words:
    """The words of a case.

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
    """What the catalog has for one case: the templates of its label, its explanation and its fix."""

    label: str
    why: str
    fix: str

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """The names in braces, of all three templates."""
        parts = (self.label, self.why, self.fix)
        return frozenset[str]().union(*(Template(each).placeholders for each in parts))

    def __call__(self, **values: object) -> Words:
        """Return the words of a case.

        Raises:
            TypeError: A placeholder has no value, or a value has no placeholder.
        """
        _check(self.placeholders, values, self.label)
        return Words(
            self.label.format(**values), self.why.format(**values), self.fix.format(**values)
        )


@dataclass(frozen=True)
class NoteWords:
    """The words of a note.

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
    """What the catalog has for one kind of note: the templates of its headline, its label, its explanation and its fix."""

    headline: str
    label: str
    why: str
    fix: str

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """The names in braces, of all four templates."""
        parts = (self.headline, self.label, self.why, self.fix)
        return frozenset[str]().union(*(Template(each).placeholders for each in parts))

    def __call__(self, **values: object) -> NoteWords:
        """Return the words of a note.

        Raises:
            TypeError: A placeholder has no value, or a value has no placeholder.
        """
        _check(self.placeholders, values, self.headline)
        parts = (self.headline, self.label, self.why, self.fix)
        return NoteWords(*(each.format(**values) for each in parts))


def code(text: object) -> str:
    """Return an expression or a name as a sentence quotes it, in backticks."""
    return f"`{text}`"


def joined(texts: Sequence[object]) -> str:
    """Return a list as a sentence has it: `a`, `a and b`, `a, b and c`."""
    *first, last = map(str, texts)
    return f"{', '.join(first)} and {last}" if first else last


def lines(numbers: Sequence[int]) -> str:
    """Return some lines as a sentence names them: `line 3`, `lines 3 and 4`."""
    return f"{'line' if len(numbers) == 1 else 'lines'} {joined(numbers)}"


def _check(placeholders: frozenset[str], values: dict[str, object], text: str) -> None:
    if placeholders != values.keys():
        wrong = ", ".join(sorted(placeholders ^ values.keys()))
        raise TypeError(f"Placeholders and values differ in {wrong}, in the text {text!r}.")
