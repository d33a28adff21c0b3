"""The parts of a page put into their places."""

import re
from collections.abc import Mapping
from importlib import resources


def asset(name: str) -> str:
    """A file of `assets/`, as text."""
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def filled(text: str, parts: Mapping[str, str]) -> str:
    """A page with each part in the place that is marked `<!--NAME-->`; what stands in a part is no mark."""
    pieces = _MARK.split(text)
    assert sorted(pieces[1::2]) == sorted(parts), "a mark without a part, or a part without a mark"
    pieces[1::2] = [parts[name] for name in pieces[1::2]]
    return in_unicode("".join(pieces))


def in_unicode(text: str) -> str:
    """The same with a question mark for each letter that is none: the name of a file may hold such."""
    return text.encode(errors="replace").decode()


_MARK = re.compile("<!--([A-Z_]+)-->")
