"""The list of the tests that could depend on luck: those with a terminal, a browser, a signal or a time limit.

`python -m pytest -n 2 @tests/waiting.txt` runs them; docs/tests.md says how often it was run on a busy machine.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
_WAITS = re.compile(
    r"\bsignal\.(SIG\w+|alarm|raise_signal)|\.send_signal\(|\bos\.kill(pg)?\("
    r"|\btime\.(sleep|monotonic|perf_counter)\(|__import__\('time'\)|\.settimeout\("
    r"|\"--timeout\"|\btimeout=(0\.\d+|[0-3])[,)]|from terminals import|playwright"
)
_LISTED = [ROOT / line for line in (ROOT / "tests/waiting.txt").read_text().splitlines()]


def test_each_timing_dependent_module_is_on_the_list() -> None:
    waiting = [
        file.relative_to(ROOT)
        for file in (ROOT / "tests").rglob("test_*.py")
        if file != Path(__file__) and _WAITS.search(file.read_text(encoding="utf-8"))
        if not any(file.is_relative_to(listed) for listed in _LISTED)
    ]
    assert waiting == []


def test_every_listed_module_exists() -> None:
    assert [each for each in _LISTED if not each.exists()] == []
