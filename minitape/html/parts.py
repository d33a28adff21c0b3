"""Inserts the parts of a page in place of their marks."""

import re
from collections.abc import Mapping
from importlib import resources

from minitape.printable import printable_lines


def asset(name: str) -> str:
    """Return the text of a file in `assets/`."""
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def filled(text: str, parts: Mapping[str, str]) -> str:
    """Return a page with each part in place of its mark `<!--NAME-->`. Marks in the parts themselves have no effect.

    Control characters in a part are replaced by dots.
    """
    pieces = _MARK.split(text)
    assert sorted(pieces[1::2]) == sorted(parts), (
        "a mark in the page has no part, or a part has no mark"
    )
    pieces[1::2] = [printable_lines(parts[name]) for name in pieces[1::2]]
    return "".join(pieces)


_MARK = re.compile("<!--([A-Z_]+)-->")
