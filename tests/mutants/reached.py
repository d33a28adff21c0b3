"""A pytest plugin that records which test enters which function, and selects the tests to run.

A copy of the code calls `by` at the start of each function (tests/mutants/reach.py). The processes that a test starts or copies
inherit its environment, which contains the name of the test.
"""

import os
from pathlib import Path
from typing import Any

ENTERED, FAILED, ONLY = "MUTANTS_ENTERED", "MUTANTS_FAILED", "MUTANTS_ONLY"  # names of files
_reported: set[tuple[str, str]] = set()


def by(place: str) -> None:
    """Record that the running test enters this function."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
    if test and ENTERED in os.environ and (test, place) not in _reported:
        _reported.add((test, place))
        _append(os.environ[ENTERED], f"{test}\t{place}")


def _append(file: str, line: str) -> None:
    """Append with one system call, so that lines of several processes do not mix. `open` is not used, because a test may have
    replaced it.
    """
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
