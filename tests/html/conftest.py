"""`made(...)` runs a script and builds its page; the result gives access to the page's parts."""

import json
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from traced import run

from minitape.explain.explain import explain
from minitape.explain.report import Report
from minitape.html import page
from minitape.html.data.packing import unpacked
from minitape.timeline import Timeline, build_timeline
from minitape.trace.trace import Trace


@dataclass
class Made:
    """A page, and the run from which it was made."""

    trace: Trace
    report: Report
    html: str

    @cached_property
    def timeline(self) -> Timeline:
        return build_timeline(self.trace, self.report)

    @cached_property
    def data(self) -> dict[str, Any]:
        text = self.only(r'<script type="application/json" id="data">')
        data: dict[str, Any] = json.loads(text, parse_constant=self._no_browser_reads)
        return unpacked(text) if "packed" in data else data

    @staticmethod
    def _no_browser_reads(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    def only(self, opening: str, name: str = "script") -> str:
        """Return the content of the single element with this start tag."""
        (text,) = re.findall(rf"{opening}(.*?)</{name}>", self.html, re.S)
        return str(text)

    def text(self, position: int) -> str:
        return str(self.data["texts"][position])

    def row(self, picture: int, card: str, row: str, step: int) -> str | None:
        """The text of a card at a step, found in the same way as by the page's script."""
        rows = self.data["pictures"][picture]["cards"][card]["rows"].get(row, ())
        said = [text for when, text, *_ in rows if when <= step]
        return self.text(said[-1]) if said else None


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Made]:
    def make(text: str, name: str = "lesson.py", fails: bool = False, **run_options: Any) -> Made:
        path = tmp_path / name
        path.write_text("import minitape as tf\n" + textwrap.dedent(text), encoding="utf-8")
        ran = run(path, timeout=60)
        assert (ran.error is not None) == fails, ran.error
        report = explain(ran.trace)
        return Made(ran.trace, report, page(ran.trace, report, **run_options))

    return make
