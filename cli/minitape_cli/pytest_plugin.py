"""Tests that explain why a gradient was lost: the fixture `assert_connected`, the mark `minitape`, the option `--minitape`.

    def test_all_layers_learn(assert_connected):
        with tf.GradientTape() as tape:
            loss = model_loss()
        assert_connected(tape, loss, model.trainable_variables)

    @pytest.mark.minitape                  # if the test fails, its report shows which gradients were lost, and why
    def test_a_step_changes_the_weights(): ...

`pytest --minitape`, or `minitape = true` in the configuration, applies this mark to all tests.

pytest imports this module in each run of an environment that has minitape, so it imports nothing else until a test needs it.
It is part of the command line and not of `minitape`, because importing `minitape` imports NumPy. `-p no:minitape` disables it.

The engine that is traced is the one that the test's module has imported: TensorFlow, else minitape.
"""

import sys
import traceback
from collections.abc import Callable, Generator, Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest

TITLE = "why gradients were lost"
_RECORDING = pytest.StashKey[Any]()
_NOT_TRACED = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser) -> None:
    about = "For each failing test, show which gradients were lost and why (minitape)."
    parser.getgroup("minitape").addoption("--minitape", action="store_true", help=about)
    parser.addini("minitape", about, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "minitape: if the test fails, show which gradients were lost and why."
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Record a marked test, including its fixtures, which often create the variables."""
    if not _is_requested_about(item):
        return (yield)
    from minitape.debug.queries import record

    try:
        recording = record(_engine_of(item))
    except RuntimeError as untraceable:  # the test still runs, and its report shows this
        item.stash[_NOT_TRACED] = str(untraceable)
        return (yield)
    with recording as item.stash[_RECORDING]:
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Add the explanation to the report of a test that failed."""
    report = yield
    recording = item.stash.get(_RECORDING, None)
    if _is_requested_about(item) and report.when == "call" and report.failed:
        reported = item.stash.get(_NOT_TRACED, "") if recording is None else _reported(recording)
        # A failure of `assert_connected` already contains the explanation.
        if reported and reported not in report.longreprtext:
            report.sections.append((TITLE, reported))
    return report


def _reported(recording: Any) -> str:
    """Return the explanation of the test; empty if no gradient was lost."""
    try:
        answer = recording.why()
        return recording.missed or "" if answer.ok else str(answer)
    except Exception:  # an exception in this hook would end the user's whole run
        from minitape.printable import printable_lines

        reported = printable_lines(traceback.format_exc())
        return f"minitape could not explain this test. This is a bug in minitape:\n{reported}"


def _is_requested_about(item: pytest.Item) -> bool:
    config = item.config
    command = config.getoption("--minitape") or config.getini("minitape")
    return bool(command) or item.get_closest_marker("minitape") is not None


def _engine_of(item: pytest.Item) -> str | None:
    """Return the engine that the test's module has imported, TensorFlow before minitape; None if neither."""
    module = getattr(item, "module", None)
    homes = set(map(_home, vars(module).values())) if module else set()
    if homes & {"tensorflow", "keras", "tf_keras"} and "tensorflow" in sys.modules:
        return "tensorflow"
    return "minitape" if "minitape" in homes else None


def _home(thing: Any) -> str:
    """Return the top-level package that defines an object; `minitape.debug` does not count as an engine."""
    named = thing if isinstance(thing, type | FunctionType) else type(thing)
    home = thing.__name__ if isinstance(thing, ModuleType) else str(named.__module__)
    return "" if home.startswith("minitape.debug") else home.partition(".")[0]


@pytest.fixture
def assert_connected(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Return a function that fails with an explanation if a gradient is None, NaN or zero, and otherwise returns the gradients.

    Its arguments are the tape, `target` and `sources`, as for `tape.gradient`; `allow_zero=True` accepts zeros. The whole test
    is traced, so that the explanation can name values that left the tape.
    """
    from minitape.debug.queries import record, why_of
    from minitape.explain.report import Outcome

    def check(tape: Any, target: Any, sources: Any, *, allow_zero: bool = False) -> Any:
        __tracebackhide__ = True
        gradients, explanation = why_of(tape, target, sources)
        lost = explanation.without(Outcome.ZERO) if allow_zero else explanation
        if not lost.ok:
            pytest.fail(str(lost), pytrace=False)
        return gradients

    with record(_engine_of(request.node)):
        yield check
