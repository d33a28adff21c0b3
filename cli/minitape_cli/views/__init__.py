"""Results as Rich renderables. `console.py` prints them; the user's words are always plain text."""

from minitape_cli.views.annotations import annotations
from minitape_cli.views.audit import audit
from minitape_cli.views.check import check
from minitape_cli.views.diff import as_data as diff_as_data
from minitape_cli.views.diff import diff
from minitape_cli.views.explanation import briefly, explanation, only
from minitape_cli.views.lists import catalogue, checkup
from minitape_cli.views.live import Live
from minitape_cli.views.ops import op, ops
from minitape_cli.views.steps import trace
from minitape_cli.views.summary import has_none, jsonl, summary

__all__ = [
    "Live",
    "annotations",
    "audit",
    "briefly",
    "catalogue",
    "check",
    "checkup",
    "diff",
    "diff_as_data",
    "explanation",
    "has_none",
    "jsonl",
    "only",
    "op",
    "ops",
    "summary",
    "trace",
]
