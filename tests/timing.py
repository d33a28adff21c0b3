"""Measure how long the tests take, by folder and by kind.

    python -m pytest -n 2 --whole --times FILE.json
    python tests/timing.py FILE.json

The file has a row for each test: its name, its kind, and in seconds its wall-clock time and the processor time of its process
and of the child processes that it waited for. The tables are those of docs/tests.md.
"""

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_MARK = "times"  # the name of the user property in a report
_BROWSER = {"browser", "opened", "show"}
_TERMINAL = {"pexpect", "terminals", "tmux"}
_RECORDED = {"parity", "guides", "golden", "audits"}
_OF_ITS_OWN = 0.05  # processor seconds of children; a child that ran a script takes more


def _clock() -> tuple[float, float, float]:
    now = os.times()
    return (
        time.perf_counter(),
        now.user + now.system,
        now.children_user + now.children_system,
    )


def _kind(item: pytest.Item, children: float) -> str:
    """Return the kind of a test: the first that applies, with the most expensive kinds first."""
    fixtures = set(getattr(item, "fixturenames", ()))
    test = getattr(item, "function", None)
    names = set(getattr(getattr(test, "__code__", None), "co_names", ()))
    module = set(vars(item.module)) if isinstance(item, pytest.Function) else set()
    if item.get_closest_marker("tensorflow") is not None:
        return "TensorFlow"
    if fixtures & _BROWSER:
        return "a browser"
    if (names | module) & _TERMINAL:
        return "a terminal"
    if getattr(test, "is_hypothesis_test", False):
        return "Hypothesis"
    if children > _OF_ITS_OWN:
        return "a separate process"
    if not isinstance(item, pytest.Function) or "docs" in item.path.parts:
        return "documentation"
    if _RECORDED & {*item.path.parts, *item.path.stem.split("_")}:
        return "a recorded output"
    return "the test process itself"


class Times:
    """Measure each test in the worker that runs it, and write all rows in the controlling process."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.rows: list[list[Any]] = []
        self.before = _clock()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        self.before = _clock()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: Any) -> Iterator[Any]:
        report = yield
        if call.when == "teardown":
            wall, own, children = (b - a for a, b in zip(self.before, _clock(), strict=True))
            row = [_kind(item, children), round(wall, 4), round(own, 4), round(children, 4)]
            report.user_properties.append((_MARK, row))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.rows += [
            [report.nodeid, *row] for mark, row in report.user_properties if mark == _MARK
        ]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workeroutput"):
            self.file.write_text(json.dumps(self.rows, indent=0), encoding="utf-8")


def _folder(test: str) -> str:
    parts = test.split("::")[0].split("/")
    return parts[1] if parts[0] == "tests" and len(parts) > 2 else parts[0]


def _table(title: str, rows: dict[str, list[list[Any]]]) -> str:
    lines = [f"| {title} | tests | seconds | processor seconds |", "| --- | ---: | ---: | ---: |"]
    for name, of in sorted(rows.items(), key=lambda each: -sum(row[2] for row in each[1])):
        wall, spent = sum(row[2] for row in of), sum(row[3] + row[4] for row in of)
        lines.append(f"| {name} | {len(of):,} | {wall:,.0f} | {spent:,.0f} |")
    return "\n".join(lines)


def main() -> None:
    rows = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for title, key in (("folder", lambda row: _folder(row[0])), ("kind", lambda row: row[1])):
        groups: dict[str, list[list[Any]]] = defaultdict(list)
        for row in rows:
            groups[key(row)].append(row)
        print(_table(title, groups), end="\n\n")


if __name__ == "__main__":
    main()
