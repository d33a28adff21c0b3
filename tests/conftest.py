"""For all tests: `samples` and its neighbours importable by name, the options, what a run leaves out, and who has TensorFlow.

`python -m pytest` leaves out the tests marked `whole`, and takes samples where `together`, `sampled` or `one_in` says so.
`--whole` runs everything.

Tests marked `tensorflow` need TensorFlow itself: in the Python that MINITAPE_TENSORFLOW_PYTHON names, or in this one. Where there
is none they are left out, and the summary says how many those were.
"""

import os
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import surroundings
import timing
import together
import warm

_VARIABLE = "MINITAPE_TENSORFLOW_PYTHON"
_LEFT_OUT = pytest.StashKey[int]()
_GOLDEN = Path(__file__).parent / "golden"

surroundings.byte_code()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="write the golden files anew; then look at them"
    )
    parser.addoption("--whole", action="store_true", help="run every test")
    parser.addoption(
        "--within",
        type=float,
        metavar="SECONDS",
        help="run the modules in an order of the day, and skip the tests that have not begun after this time",
    )
    parser.addoption(
        "--times", type=Path, metavar="FILE", help="write what each test costs (tests/timing.py)"
    )


def pytest_configure(config: pytest.Config) -> None:
    is_whole = config.getoption("--whole")
    together.configure(is_whole=is_whole)
    surroundings.hypothesis_profiles(
        is_whole=is_whole
    )  # Hypothesis loads another, if it is asked for one, after this
    config.pluginmanager.register(together)
    config.pluginmanager.register(warm)
    seconds = config.getoption("--within")
    if seconds is not None:
        config.pluginmanager.register(_Within(seconds))
    times = config.getoption("--times")
    if times is not None:
        config.pluginmanager.register(timing.Times(times))


class _Within:
    """Skips the tests that have not begun after some time; on a slow machine that is most of them."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.until = time.monotonic() + seconds

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=together.place_of_today)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        if time.monotonic() > self.until:
            pytest.skip(f"not begun within {self.seconds:g} s")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart() -> None:
    surroundings.plain_environment()  # after pytest has looked at it, before any test module is imported


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the golden file of this name, or write it with `--update` and look at it."""

    def compare(name: str, text: str) -> None:
        path = _GOLDEN / name
        if request.config.getoption("--update", default=False):
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.exists(), (
            f"no golden file {name}: run pytest --update and look at what it wrote"
        )
        assert text == path.read_text(encoding="utf-8")

    return compare


def _python_with_tensorflow() -> str | None:
    return os.environ.get(_VARIABLE) or (sys.executable if find_spec("tensorflow") else None)


@pytest.fixture(scope="session")
def tensorflow_python() -> str:
    """A Python that has TensorFlow."""
    python = _python_with_tensorflow()
    assert python is not None, "the test has to be marked `tensorflow`"
    return python


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, in the open, what is for a whole run, and what needs TensorFlow where there is none."""
    if _python_with_tensorflow() is None:
        config.stash[_LEFT_OUT] = _leave_out(config, items, _marked(items, "tensorflow"))
    if not config.getoption("--whole"):
        _leave_out(config, items, _marked(items, "whole"))
        _leave_out(config, items, together.left_out(items))


def _marked(items: list[pytest.Item], mark: str) -> list[pytest.Item]:
    return [each for each in items if each.get_closest_marker(mark) is not None]


def _leave_out(config: pytest.Config, items: list[pytest.Item], those: list[pytest.Item]) -> int:
    if len(those) < len(items):  # who names one test gets it
        config.hook.pytest_deselected(items=those)
        gone = set(those)
        items[:] = [each for each in items if each not in gone]
    return len(those)


# --- the count: under pytest-xdist each worker collects all tests, and the summary is the controller's ---


def pytest_sessionfinish(session: pytest.Session) -> None:
    reported = getattr(session.config, "workeroutput", None)
    if reported is not None:
        reported["without_tensorflow"] = session.config.stash.get(_LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    reported = getattr(node, "workeroutput", {})
    node.config.stash[_LEFT_OUT] = reported.get("without_tensorflow", 0)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    count = config.stash.get(_LEFT_OUT, 0)
    if count:
        why = f"{_VARIABLE} names no Python that has it"
        terminalreporter.write_line(f"{count} tests need TensorFlow and were left out: {why}")
