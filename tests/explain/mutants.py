"""How many random changes to the rooms that explain are noticed: python tests/explain/mutants.py [COUNT] [--seed N] [--of FILE]

    heard      what each program told while it ran: what explains is tried on it again and again
    covered    which program and which test runs which function
    noticed    the first test that fails when one piece is changed

A change is noticed if an expectation of a case is no longer met, if a word that is told of one is another, if something else is
said of a program that ships with minitape, or if another test of the room or of the mends fails. Tried are only the programs and
the tests that run the function. What nobody notices is printed with the programs whose report is another all the same.
"""

import argparse
import collections
import contextlib
import functools
import gc
import hashlib
import importlib.abc
import importlib.util
import io
import multiprocessing
import random
import signal
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "minitape" / "explain"
sys.path[:0] = [str(ROOT), str(ROOT / "cli"), str(ROOT / "tests")]

from explain.changes import Change, changes  # noqa: E402 (found by the line above)

_OURS = (
    "cases words healthy a_thousand_healthy evidence"  # these run all programs, which is done here
)
_OTHERS = "size declarations"  # these count lines, or read nothing but text
_TESTS = [f"--ignore=tests/explain/test_{each}.py" for each in f"{_OURS} {_OTHERS}".split()]
_TESTS += ["tests/explain", "tests/prove/test_repair.py", "tests/prove/test_patching.py"]
_TESTS += ["-k", "not in_no_more_than_thrice_its_run"]  # this one measures time
_SECONDS = 600  # a change that takes longer hangs, which is noticed
heard: dict[Path, tuple[Any, Any]] = {}  # filled once; each process that is forked has it


def recorded() -> dict[Path, tuple[Any, Any]]:
    """What is heard of each program, and how it ended."""
    from explain import judge, programs, test_healthy  # these import the rooms that explain

    from minitape import keras
    from minitape.run.child import inside

    all_told = {}
    short = [case.script for case in judge.CASES.values()]
    for path in dict.fromkeys(
        (*short, *programs.PROGRAMS.values(), *test_healthy.SOLUTIONS.values())
    ):
        keras.backend.clear_session()
        limits: dict[str, Any] = {} if path in short else {"timeout": 60, "max_ops": 0}
        all_told[path] = inside.run(path, on="minitape", stdout=io.StringIO(), **limits)
    return all_told


class Cover(NamedTuple):
    """Who runs which functions of the rooms, by file and line; of programs, what their report comes to."""

    programs: dict[Path, set[tuple[str, int]]]
    reports: dict[Path, str]
    tests: dict[str, set[tuple[str, int]]]

    def of(self, change: Change) -> tuple[dict[Path, str], set[str]]:
        """The programs and the tests that a change concerns."""
        place = str(change.file), change.function
        programs = [path for path, ran in self.programs.items() if place in ran or not place[1]]
        tests = {test for test, ran in self.tests.items() if place in ran or not place[1]}
        return {path: self.reports[path] for path in programs}, tests


@contextlib.contextmanager
def _entered(functions: set[tuple[str, int]]) -> Iterator[None]:
    """Collects the functions of the rooms that are entered meanwhile."""
    room = str(ROOM)

    def enters(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if code.co_filename.startswith(room):
            functions.add((code.co_filename, code.co_firstlineno))

    sys.settrace(enters)
    try:
        yield
    finally:
        sys.settrace(None)


def covered() -> Cover:
    """Explains each program, and runs each test."""
    import pytest

    from minitape.explain.explain import explain

    cover = Cover({}, {}, {})
    for path, (trace, _) in heard.items():
        with _entered(cover.programs.setdefault(path, set())):
            report = explain(trace)
        cover.reports[path] = _digest(report)

    class Covering:
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
            with _entered(cover.tests.setdefault(item.nodeid, set())):
                return (yield)

    failed = _pytest(Covering())
    if failed:
        sys.exit(f"fails before anything is changed: {failed}")
    return cover


def _pytest(plugin: object) -> str:
    """The first test that fails."""
    import pytest

    with contextlib.redirect_stdout(io.StringIO()) as out:
        failed = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *_TESTS], [plugin])
    names = [line for line in out.getvalue().splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (names or ["a test"])[0] if failed else ""


def _digest(report: Any) -> str:
    return hashlib.sha1(repr(report).encode()).hexdigest()


class _Instead(importlib.abc.SourceLoader, importlib.abc.MetaPathFinder):
    """Imports a file with another text."""

    def __init__(self, change: Change) -> None:
        self.path, self.text = str(change.file), change.text
        self.name = ".".join(change.file.relative_to(ROOT).with_suffix("").parts)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def get_filename(self, _: str) -> str:
        return self.path

    def get_data(self, _: str) -> bytes:
        return self.text.encode()


def noticed(
    change: Change | None, reports: dict[Path, str], tests: set[str]
) -> tuple[str, list[str]]:
    """The first test that fails, empty if none does, and the programs whose report is another."""
    signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(_SECONDS)
    if change is not None:
        sys.meta_path.insert(0, _Instead(change))
    others: list[str] = []

    class Only:
        def pytest_collection_modifyitems(self, items: list[Any]) -> None:
            items[:] = [each for each in items if each.nodeid in tests]

    try:
        return _by_traces(reports, others) or (_pytest(Only()) if tests else ""), others
    except BaseException as error:  # it may spoil whatever it likes
        return f"{type(error).__name__}: {error}"[:100], others


def _hangs(*_: Any) -> None:
    raise TimeoutError("it hangs")


def _by_traces(reports: dict[Path, str], others: list[str]) -> str:
    """What no longer is as the cases and the reviewed programs want it."""
    from explain import judge, programs, test_healthy, test_words

    from minitape.explain.explain import explain
    from minitape.run.outcome import Run

    @functools.cache
    def explained(path: Path) -> Any:
        return judge.Explanation(Run.of(*heard[path]), explain(heard[path][0]))

    judge._explained = explained
    names = {path: name for name, path in (programs.PROGRAMS | test_healthy.SOLUTIONS).items()}
    kept = functools.cache(test_words._kept)
    cases = collections.defaultdict(list)
    for case in judge.CASES.values():
        cases[case.script].append(case)
    for path, digest in reports.items():
        report = explained(path).report
        for case in cases[path]:
            if bool(judge.complaints(case)) != case.is_missed:
                return case.name
            page = test_words._PAGES[case.script.parent.name]
            if case.causes and test_words.told(case.name) != kept(page)[case.name]:
                return f"the words of {case.name}"
        if path in names and report.notes:
            return f"a note on {names[path]}"
        is_shipped = names.get(path) in programs.PROGRAMS
        if is_shipped and sorted(programs.said_in(report)) != sorted(
            programs.reviewed(names[path])
        ):
            return names[path]
        if _digest(report) != digest:
            others.append(path.stem)
    return ""


# --- the whole ---


def _sample(count: int, seed: int, of: str) -> list[Change]:
    files = [path for path in sorted(ROOM.rglob("*.py")) if of in str(path.relative_to(ROOM))]
    every = [each for path in files for each in changes(path)]
    print(f"{len(every)} changes are possible")
    return random.Random(seed).sample(every, min(count, len(every)))


def _forked(processes: int) -> Any:
    """Processes that do one thing each."""
    return multiprocessing.get_context("fork").Pool(processes, maxtasksperchild=1)


def _judged(given: tuple[Change, dict[Path, str], set[str]]) -> tuple[str, str]:
    """A change, and what was the first to notice it, if anything was."""
    test, others = noticed(*given)
    nobody = f"NOT NOTICED, {len(others)} other reports: {', '.join(others[:3])}"
    return f"{given[0]}: {test or nobody}", test


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("count", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--of", default="", help="only files with this in their path")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    with _forked(1) as pool:
        told = pool.apply(recorded)
    from minitape.trace.trace import Trace

    shortest_first = sorted(told.items(), key=lambda each: len(each[1][0]))
    heard.update({path: (Trace.from_dicts(events), end) for path, (events, end) in shortest_first})
    gc.freeze()  # what is shared stays shared
    with _forked(1) as pool:
        cover = pool.apply(covered)
    with _forked(1) as pool:
        as_it_is = pool.apply(noticed, (None, cover.reports, set()))
    if as_it_is != ("", []):
        sys.exit(f"fails before anything is changed: {as_it_is}")
    sample = _sample(given.count, given.seed, given.of)
    count = 0
    with _forked(given.processes) as pool:
        for told_of_it, test in pool.imap_unordered(
            _judged, [(each, *cover.of(each)) for each in sample]
        ):
            count += bool(test)
            print(told_of_it, flush=True)
    print(f"{count} of {len(sample)} are noticed")


if __name__ == "__main__":
    main()
