"""Scripts that ship with minitape: correct ones, and the most common ways to lose a gradient.

`catalog`   all examples, with a line about each
find        the file of one example
"""

import ast
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Example:
    """A script that ships with minitape; `about` is the first line of its docstring."""

    name: str
    about: str
    path: Path


def catalog() -> list[Example]:
    """List all examples, sorted by name."""
    scripts = sorted(path for path in _FOLDER.glob("*.py") if path.name != "__init__.py")
    return [Example(path.stem, _about(path), path) for path in scripts]


def _about(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_bytes())) or ""
    return text.partition("\n")[0]


def find(name: str) -> Path | None:
    """Return the file of the example called `name` (with or without .py); None if no example has this name."""
    stem = name.removesuffix(".py")
    return next((each.path for each in catalog() if each.name == stem), None)
