"""`assert_connected`, the mark `minitape` and `--minitape`, in a user's test suite."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from strangers import HOSTILE, escaped_hostile, steering, without_styles

from minitape.core import listeners
from minitape.debug import (
    recording as live,  # imported before pytester runs, which unloads the modules that are imported during a run
)
from minitape_cli.pytest_plugin import TITLE

pytest_plugins = ["pytester"]

SUITE = """\
import numpy as np
import minitape as tf


def test_lost(assert_connected):
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(np.square(w))
    assert_connected(tape, loss, [w])


def test_connected(assert_connected):
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = w * w
    assert float(assert_connected(tape, loss, w)) == 4.0


def test_zero(assert_connected):
    w = tf.Variable(-2.0)
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.nn.relu(w)
    assert_connected(tape, loss, w, allow_zero=True)
    assert_connected(tape, loss, w)
"""


def python(*args: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    root = Path(__file__).parents[2]
    paths = os.pathsep.join([str(root), str(root / "cli")])
    surroundings = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": paths}
    surroundings.pop("PYTEST_ADDOPTS", None)
    return subprocess.run(
        [sys.executable, *args],
        cwd=folder,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_failing_test_explains_why_the_gradient_is_none(tmp_path: Path) -> None:
    (tmp_path / "test_layers.py").write_text(SUITE)
    ran = python(
        *("-m", "pytest", "-p", "minitape_cli.pytest_plugin", "-p", "no:cacheprovider"),
        folder=tmp_path,
    )
    assert ran.returncode == 1, ran.stderr
    assert "2 failed, 1 passed" in ran.stdout
    assert "the gradient of `loss` with respect to `w` is None" in ran.stdout
    assert "test_layers.py:8:" in ran.stdout
    assert "minitape explain MT201" in ran.stdout
    assert "the gradient of `loss` with respect to `w` is zero everywhere" in ran.stdout


def test_plugin_imports_nothing_in_other_projects(tmp_path: Path) -> None:
    """pytest loads the plugin in each run of the environment: it must import neither NumPy nor the engine."""
    code = "import sys, minitape_cli.pytest_plugin; print({'numpy', 'minitape'} & set(sys.modules))"
    assert python("-c", code, folder=tmp_path).stdout == "set()\n"


# --- the explanation of a failing test ---

STEP = """\
import numpy as np
import pytest
import minitape as tf


@pytest.fixture
def w():
    return tf.Variable(2.0)


def step(w):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(np.square(w))
    return tape.gradient(loss, w)


@pytest.mark.minitape
def test_marked(w):
    assert step(w) is not None


def test_unmarked(w):
    assert step(w) is not None


@pytest.mark.minitape
def test_that_passes(w):
    assert step(w) is None


@pytest.mark.minitape
def test_that_fails_for_another_reason(w):
    with tf.GradientTape() as tape:
        loss = w * w
    assert tape.gradient(loss, w) is None
"""


@dataclass(frozen=True)
class Outcome:
    """The output of a pytest run."""

    ran: pytest.RunResult

    def explained(self) -> list[str]:
        """The tests whose report contains minitape's section."""
        test, found = "", []
        for line in self.ran.outlines:
            if re.fullmatch(r"_+ test_\w+ _+", line):
                test = line.strip("_ ")
            elif TITLE in line:
                found.append(test)
        return found


@pytest.fixture
def run_suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Run a suite with the plugin, whether or not minitape is installed here.

    With `CI` or `BUILD_NUMBER` in the environment, pytest repeats a failure's whole text in its summary.
    """
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    for name in ("PYTEST_ADDOPTS", "CI", "BUILD_NUMBER"):
        monkeypatch.delenv(name, raising=False)

    def run(suite: str, *options: str) -> Outcome:
        pytester.makepyfile(test_step=suite)
        ran = pytester.runpytest_inprocess(
            *("-p", "minitape_cli.pytest_plugin", "-p", "no:cacheprovider", *options)
        )
        return Outcome(ran)

    return run


def test_marked_test_that_fails_is_explained(run_suite: Callable[..., Outcome]) -> None:
    reported = run_suite(STEP)
    reported.ran.assert_outcomes(passed=1, failed=3)
    assert reported.explained() == ["test_marked"]
    reported.ran.stdout.fnmatch_lines(
        [
            f"*--- {TITLE} ---*",
            "the gradient of `loss` with respect to `w` is None",
            "  test_step.py:13: value leaves the tape here: NumPy operations are not recorded",
            "    why : `np.square` is a NumPy function. *",
            "    try : use `tf.square(w)` instead of `np.square(w)`",
        ]
    )


def test_command_line_option_covers_all_tests(run_suite: Callable[..., Outcome]) -> None:
    assert run_suite(STEP, "--minitape").explained() == ["test_marked", "test_unmarked"]


def test_configuration_option_covers_all_tests(
    run_suite: Callable[..., Outcome], pytester: pytest.Pytester
) -> None:
    pytester.makeini("[pytest]\nminitape = true\n")
    assert run_suite(STEP).explained() == ["test_marked", "test_unmarked"]


def test_module_mark_covers_its_tests(run_suite: Callable[..., Outcome]) -> None:
    module = STEP.replace("def step", "pytestmark = pytest.mark.minitape\n\n\ndef step")
    assert run_suite(module).explained() == ["test_marked", "test_unmarked"]


def test_mark_is_registered_for_strict_markers(run_suite: Callable[..., Outcome]) -> None:
    run_suite(STEP, "--strict-markers").ran.assert_outcomes(passed=1, failed=3)


def test_assert_connected_message_is_not_repeated(run_suite: Callable[..., Outcome]) -> None:
    reported = run_suite(SUITE, "--minitape")
    reported.ran.assert_outcomes(passed=1, failed=2)
    assert reported.explained() == []


def test_that_raises_in_the_gradient_call_is_explained(
    run_suite: Callable[..., Outcome],
) -> None:
    reported = run_suite(STEP.replace("return tape", "tape.gradient(loss, w)\n    return tape"))
    assert "test_marked" in reported.explained()
    reported.ran.stdout.fnmatch_lines(["*already used the tape*"])


def test_internal_error_does_not_end_the_users_test_run(
    run_suite: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "explain", lambda trace: trace.no_such_thing)
    reported = run_suite(STEP)
    reported.ran.assert_outcomes(passed=1, failed=3)
    reported.ran.stdout.fnmatch_lines(["*This is a bug in minitape:", "*no_such_thing*"])


def test_tracer_is_disconnected_after_the_suite(run_suite: Callable[..., Outcome]) -> None:
    run_suite(STEP, "--minitape")
    assert listeners.active == ()


def test_sections_are_sent_from_worker_processes(tmp_path: Path) -> None:
    pytest.importorskip("xdist", reason="pytest-xdist runs tests in several processes")
    (tmp_path / "test_step.py").write_text(STEP)
    plugins = ("-p", "xdist", "-p", "minitape_cli.pytest_plugin", "-p", "no:cacheprovider")
    ran = python("-m", "pytest", *plugins, "-n", "1", folder=tmp_path)
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.count(TITLE) == 1


HOSTILE_SUITE = f"""\
import numpy as np
import pytest
import minitape as tf

held = {{"{escaped_hostile()}": tf.Variable(2.0)}}


def lost():
    with tf.GradientTape() as tape:
        loss = tf.constant(np.square(held["{escaped_hostile()}"]))  # \x1b[2J\u202e\u200f
    return tape, loss, held["{escaped_hostile()}"]


@pytest.mark.minitape
def test_marked():
    tape, loss, w = lost()
    if tape.gradient(loss, w) is None:
        pytest.fail("no gradient", pytrace=False)


def test_connected(assert_connected):
    assert_connected(*lost())
"""


def test_section_contains_no_terminal_control_character_of_the_suite(
    run_suite: Callable[..., Outcome],
) -> None:
    reported = run_suite(HOSTILE_SUITE)
    reported.ran.assert_outcomes(failed=2)
    assert reported.ran.stdout.str().count("MT201") == 2
    assert steering(without_styles(reported.ran.stdout.str())) == []


def test_internal_error_report_contains_no_terminal_control_character(
    run_suite: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(trace: object) -> None:
        raise ValueError(HOSTILE)

    monkeypatch.setattr(live, "explain", broken)
    reported = run_suite(HOSTILE_SUITE, "-k", "marked")
    reported.ran.stdout.fnmatch_lines(["*This is a bug in minitape:", "ValueError: *"])
    assert steering(without_styles(reported.ran.stdout.str())) == []
