"""`assert_connected`, the mark `minitape` and `--minitape`, in a test suite of a user's own."""

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
    recording as live,  # before pytester runs, which forgets what is imported meanwhile
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


def test_a_failing_test_says_why_the_gradient_was_lost(tmp_path: Path) -> None:
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


def test_the_plugin_costs_other_projects_nothing(tmp_path: Path) -> None:
    """pytest loads it in each run of the environment: neither NumPy nor the engine may come with it."""
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
    """What a run of pytest printed."""

    ran: pytest.RunResult

    def explained(self) -> list[str]:
        """The tests whose report has our section."""
        test, found = "", []
        for line in self.ran.outlines:
            if re.fullmatch(r"_+ test_\w+ _+", line):
                test = line.strip("_ ")
            elif TITLE in line:
                found.append(test)
        return found


@pytest.fixture
def outcome(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Runs a suite with the plugin, whether or not minitape is installed here.

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


def test_a_marked_test_that_fails_is_explained(outcome: Callable[..., Outcome]) -> None:
    reported = outcome(STEP)
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


def test_the_option_asks_about_all_tests(outcome: Callable[..., Outcome]) -> None:
    assert outcome(STEP, "--minitape").explained() == ["test_marked", "test_unmarked"]


def test_so_does_a_line_of_the_configuration(
    outcome: Callable[..., Outcome], pytester: pytest.Pytester
) -> None:
    pytester.makeini("[pytest]\nminitape = true\n")
    assert outcome(STEP).explained() == ["test_marked", "test_unmarked"]


def test_a_mark_on_a_module_counts_for_its_tests(outcome: Callable[..., Outcome]) -> None:
    module = STEP.replace("def step", "pytestmark = pytest.mark.minitape\n\n\ndef step")
    assert outcome(module).explained() == ["test_marked", "test_unmarked"]


def test_the_mark_is_known_where_marks_must_be(outcome: Callable[..., Outcome]) -> None:
    outcome(STEP, "--strict-markers").ran.assert_outcomes(passed=1, failed=3)


def test_what_assert_connected_said_is_not_said_again(outcome: Callable[..., Outcome]) -> None:
    reported = outcome(SUITE, "--minitape")
    reported.ran.assert_outcomes(passed=1, failed=2)
    assert reported.explained() == []


def test_a_test_that_raises_in_the_gradient_call_is_explained(
    outcome: Callable[..., Outcome],
) -> None:
    reported = outcome(STEP.replace("return tape", "tape.gradient(loss, w)\n    return tape"))
    assert "test_marked" in reported.explained()
    reported.ran.stdout.fnmatch_lines(["*already used the tape*"])


def test_a_bug_of_ours_ends_no_run_of_the_users(
    outcome: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "explain", lambda trace: trace.no_such_thing)
    reported = outcome(STEP)
    reported.ran.assert_outcomes(passed=1, failed=3)
    reported.ran.stdout.fnmatch_lines(["*which is a bug in minitape:", "*no_such_thing*"])


def test_no_one_listens_when_the_suite_is_over(outcome: Callable[..., Outcome]) -> None:
    outcome(STEP, "--minitape")
    assert listeners.active == ()


def test_sections_travel_from_worker_processes(tmp_path: Path) -> None:
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


def test_a_section_repeats_no_character_of_a_suite_that_steers_a_terminal(
    outcome: Callable[..., Outcome],
) -> None:
    reported = outcome(HOSTILE_SUITE)
    reported.ran.assert_outcomes(failed=2)
    assert reported.ran.stdout.str().count("MT201") == 2
    assert steering(without_styles(reported.ran.stdout.str())) == []


def test_nor_does_the_report_of_a_bug(
    outcome: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(trace: object) -> None:
        raise ValueError(HOSTILE)

    monkeypatch.setattr(live, "explain", broken)
    reported = outcome(HOSTILE_SUITE, "-k", "marked")
    reported.ran.stdout.fnmatch_lines(["*which is a bug in minitape:", "ValueError: *"])
    assert steering(without_styles(reported.ran.stdout.str())) == []
