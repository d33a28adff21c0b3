"""In the processes of a run: which test enters which function, and which tests are to run. A plugin of pytest.

A copy of the code calls `by` where a function begins (tests/mutants/reach.py). The processes that a test starts, or copies, have
its environment, and so its name.
"""

import os
from pathlib import Path
from typing import Any

ENTERED, FAILED, ONLY = "MUTANTS_ENTERED", "MUTANTS_FAILED", "MUTANTS_ONLY"  # names of files
_reported: set[tuple[str, str]] = set()


def by(place: str) -> None:
    """Note that the test that runs comes to this place."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
    if test and ENTERED in os.environ and (test, place) not in _reported:
        _reported.add((test, place))
        _append(os.environ[ENTERED], f"{test}\t{place}")


def _append(file: str, line: str) -> None:
    """In one call of the system, so that lines of several processes do not mix; a test may have taken away `open`."""
    try:
        into = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(into, f"{line}\n".encode())
        os.close(into)
    except OSError:  # a test about a full disk
        pass


def pytest_runtest_logreport(report: Any) -> None:
    if report.failed and FAILED in os.environ:
        _append(os.environ[FAILED], report.nodeid)


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    if ONLY in os.environ:
        wanted = set(Path(os.environ[ONLY]).read_text(encoding="utf-8").splitlines())
        items[:] = [each for each in items if each.nodeid in wanted]
