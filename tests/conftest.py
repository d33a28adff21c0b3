"""Configures all tests: modules such as `samples` can be imported by name, options are added, and some tests are deselected.

`python -m pytest` deselects the tests marked `whole`, and runs a sample of the tests that use `together`, `sampled` or
`one_in`. `--whole` runs everything.

Tests marked `tensorflow` need TensorFlow, in the Python that MINITAPE_TENSORFLOW_PYTHON names or in this one. Without
TensorFlow they are deselected, and the summary shows their number.
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
from tensorflow_copies import copied, copies  # noqa: F401  # fixtures

_VARIABLE = "MINITAPE_TENSORFLOW_PYTHON"
_LEFT_OUT = pytest.StashKey[int]()
_GOLDEN = Path(__file__).parent / "golden"

surroundings.byte_code()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update",
        action="store_true",
        help="update the golden files; review the changes afterwards",
    )
    parser.addoption("--whole", action="store_true", help="run every test")
    parser.addoption(
        "--within",
        type=float,
        metavar="SECONDS",
        help="run the modules in an order that changes every day, and skip tests that have not started after SECONDS",
    )
    parser.addoption(
        "--times",
        type=Path,
        metavar="FILE",
        help="write the time of each test to FILE (see tests/timing.py)",
    )


def pytest_configure(config: pytest.Config) -> None:
    is_whole = config.getoption("--whole")
    together.configure(is_whole=is_whole)
    surroundings.hypothesis_profiles(
        is_whole=is_whole
    )  # Hypothesis loads a different profile afterwards if an option requests one
    config.pluginmanager.register(together)
    config.pluginmanager.register(warm)
    seconds = config.getoption("--within")
    if seconds is not None:
        config.pluginmanager.register(_Within(seconds))
    times = config.getoption("--times")
    if times is not None:
        config.pluginmanager.register(timing.Times(times))


class _Within:
    """Skips the tests that have not started after some time, which on a slow machine are most of them."""

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
    surroundings.plain_environment()  # after pytest has read it, before any test module is imported


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the golden file of this name, or write the file if `--update` was given."""

    def compare(name: str, text: str) -> None:
        path = _GOLDEN / name
        if request.config.getoption("--update", default=False):
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.exists(), f"no golden file {name}: run pytest --update and review the file"
        assert text == path.read_text(encoding="utf-8")

    return compare


def _python_with_tensorflow() -> str | None:
    return os.environ.get(_VARIABLE) or (sys.executable if find_spec("tensorflow") else None)


@pytest.fixture(scope="session")
def tensorflow_python() -> str:
    """Return the path of a Python that has TensorFlow."""
    python = _python_with_tensorflow()
    assert python is not None, "the test has to be marked `tensorflow`"
    return python


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests for a whole run, and without TensorFlow those that need it; pytest reports the number."""
    if _python_with_tensorflow() is None:
        config.stash[_LEFT_OUT] = _leave_out(config, items, _marked(items, "tensorflow"))
    if not config.getoption("--whole"):
        _leave_out(config, items, _marked(items, "whole"))
        _leave_out(config, items, together.left_out(items))


def _marked(items: list[pytest.Item], mark: str) -> list[pytest.Item]:
    return [each for each in items if each.get_closest_marker(mark) is not None]


def _leave_out(config: pytest.Config, items: list[pytest.Item], those: list[pytest.Item]) -> int:
    if len(those) < len(items):  # a test that was requested by name always runs
        config.hook.pytest_deselected(items=those)
        gone = set(those)
        items[:] = [each for each in items if each not in gone]
    return len(those)


# --- the count: under pytest-xdist each worker collects all tests, and the controller prints the summary ---


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
