"""What `minitape doctor` looks at."""

import platform
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from importlib.util import find_spec
from typing import Any

from minitape_cli.console import Terminal
from minitape_cli.version import version


@dataclass(frozen=True)
class Check:
    """One thing looked at; `ok` is False only where a command will not work."""

    name: str
    found: str
    ok: bool = True
    hint: str = ""


def checks(terminal: Terminal) -> list[Check]:
    """All of them, in the order in which they are shown."""
    return [
        Check("minitape", version()),
        Check("Python", f"{platform.python_version()} at {sys.executable}"),
        *(_package(name) for name in ("numpy", "graphviz", "msgspec", "psutil", "rich", "typer")),
        _engine(),
        _tensorflow(),
        Check("terminal", _terminal(terminal)),
    ]


def as_data(checks: list[Check]) -> list[dict[str, Any]]:
    return [asdict(check) for check in checks]


def _package(name: str) -> Check:
    try:
        return Check(name, installed(name))
    except PackageNotFoundError:
        return Check(name, "not installed", ok=False, hint=f"python -m pip install {name}")


def _engine() -> Check:
    from minitape.draw import find_engine

    engine = find_engine()
    if engine.path is None:
        hint = "for PNG and PDF: install Graphviz, or python -m pip install graphviz-pure"
        return Check("pictures", "built-in layout: SVG and text", hint=hint)
    return Check("pictures", f"{engine.name} {engine.version} at {engine.path}")


def _tensorflow() -> Check:
    if find_spec("tensorflow") is None:
        return Check("TensorFlow", "not installed: minitape answers `import tensorflow`")
    try:
        found = installed("tensorflow")
    except PackageNotFoundError:
        found = "installed"
    hint = "scripts import the real one; --as-tensorflow gives them minitape"
    return Check("TensorFlow", found, hint=hint)


def _terminal(terminal: Terminal) -> str:
    out = terminal.out
    kind = "terminal" if out.file.isatty() else "no terminal"
    colors = "no colours" if out.color_system is None else f"{out.color_system} colours"
    return f"{kind}, {out.encoding}, {out.width} columns, {colors}"
