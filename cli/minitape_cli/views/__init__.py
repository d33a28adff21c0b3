"""Results as Rich renderables. `console.py` prints them; text from the user's program is never interpreted as markup.

The modules that show a run step by step import the timeline and the pictures, so they are imported at first use. For the same
reason the command that compares two runs imports `views/diff.py` directly.
"""

import importlib
from typing import TYPE_CHECKING, Any

from minitape_cli.views.annotations import annotations
from minitape_cli.views.audit import audit
from minitape_cli.views.check import check
from minitape_cli.views.explanation import briefly, explanation, fixes_written, only
from minitape_cli.views.lists import catalog, checkup
from minitape_cli.views.markdown import markdown
from minitape_cli.views.ops import op, ops
from minitape_cli.views.summary import has_none, jsonl, summary

if TYPE_CHECKING:
    from minitape_cli.views.live import Live
    from minitape_cli.views.steps import trace

__all__ = [
    "Live",
    "annotations",
    "audit",
    "briefly",
    "catalog",
    "check",
    "checkup",
    "explanation",
    "fixes_written",
    "has_none",
    "jsonl",
    "markdown",
    "only",
    "op",
    "ops",
    "summary",
    "trace",
]

_LAZY = {"Live": "live", "trace": "steps"}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
