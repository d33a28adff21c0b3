"""The parts of a page put into their places."""

from collections.abc import Mapping
from importlib import resources


def asset(name: str) -> str:
    """A file of `assets/`, as text."""
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def filled(text: str, parts: Mapping[str, str]) -> str:
    """A page with each part in the place that is marked `<!--NAME-->`; `parts` in the order of the places."""
    for name, part in parts.items():
        before, mark, after = text.rpartition(f"<!--{name}-->")
        assert mark, name
        text = before + part + after
    return text.encode(errors="replace").decode()  # a file's name may hold what is no Unicode
