"""Which exit code takes precedence: one rule for all commands that take a script."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer.main

from minitape_cli.app import app
from minitape_cli.exits import ExitCode, winning

# Programs with a gradient that is None, a wrong gradient, and values that differ in a second run.
FINDINGS = """\
import os

import numpy as np

import minitape as tf
from minitape.core.registry import PRIMITIVES

PRIMITIVES["Sin"].rules = (lambda ybar, y, x: ybar * 2.0,)
w = tf.Variable(1.0)
with tf.GradientTape(persistent=True) as tape:
    right = tf.reduce_sum(np.square(w))
    wrong = tf.sin(w) * float(os.getpid())
print(tape.gradient(right, w), tape.gradient(wrong, w))
"""
ENDINGS = {
    "raise ValueError('no more')\n": ExitCode.SCRIPT,
    "os._exit(0)\n": ExitCode.SCRIPT,
    "raise SystemExit(7)\n": ExitCode.SCRIPT,
    "while True:\n    w.assign(w)\n": ExitCode.LIMIT,
    "raise KeyboardInterrupt\n": ExitCode.INTERRUPTED,
}

# Each command, with the options that change its findings; `{}` is the script.
COMMANDS = {
    "run": ["run {}", "run {} --strict"],
    "trace": ["trace {}", "trace {} --audit"],
    "step": ["step {} --text"],
    "graph": ["graph {}"],
    "html": ["html {} -o -"],
    "explain": ["explain {}", "explain {} --exit-zero"],
    "check": ["check {}"],
    "diff": ["diff {} {}"],
    "compare": ["compare {}"],
}
FINDS_SOMETHING = ("run {} --strict", "trace {} --audit", "explain {}", "check {}", "diff {} {}")
RAISES = "raise ValueError('no more')\n"


def test_every_command_that_takes_a_script_is_listed() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # a group
    takes_script = [
        name for name, each in commands.items() if "max_ops" in {one.name for one in each.params}
    ]
    assert sorted(takes_script) == sorted(COMMANDS)


@pytest.mark.parametrize(
    "command", [line for name, lines in COMMANDS.items() if name != "compare" for line in lines]
)
def test_finding_takes_precedence_over_exception_in_each_searching_command(
    command: str, minitape: Callable[..., Any], write_script: Callable[..., Path]
) -> None:
    script = write_script(FINDINGS + RAISES)
    wanted = ExitCode.FINDING if command in FINDS_SOMETHING else ExitCode.SCRIPT
    assert minitape(*command.format(script, script).split()).exit_code == wanted


@pytest.mark.parametrize("ending", ENDINGS, ids=["raises", "os._exit", "exits", "stops", "ctrl-c"])
def test_only_a_limit_and_ctrl_c_take_precedence_over_a_finding(
    ending: str, minitape: Callable[..., Any], write_script: Callable[..., Path]
) -> None:
    script = write_script(FINDINGS + ending)
    ran = minitape("explain", script, "--max-ops", 200)
    assert ran.exit_code == (
        ExitCode.FINDING if ENDINGS[ending] is ExitCode.SCRIPT else ENDINGS[ending]
    )
    ran = minitape("explain", script, "--max-ops", 200, "--exit-zero")
    assert ran.exit_code == ENDINGS[ending]


@pytest.mark.parametrize("command", FINDS_SOMETHING)
def test_findings_determine_the_code_of_a_completed_run(
    command: str, minitape: Callable[..., Any], write_script: Callable[..., Path]
) -> None:
    """Otherwise, the tests above would prove nothing."""
    script = write_script(FINDINGS)
    assert minitape(*command.format(script, script).split()).exit_code == ExitCode.FINDING


def test_exit_zero_changes_only_the_code_of_a_finding(
    minitape: Callable[..., Any], write_script: Callable[..., Path]
) -> None:
    assert minitape("explain", write_script(FINDINGS), "--exit-zero").exit_code == ExitCode.DONE


def test_each_of_two_runs_determines_the_code(
    minitape: Callable[..., Any], write_script: Callable[..., Path]
) -> None:
    whole, broken = write_script(FINDINGS), write_script(FINDINGS + "1 / 0\n", "broken.py")
    for pair in ((whole, broken), (broken, whole)):
        assert minitape("diff", *pair).exit_code == ExitCode.FINDING  # the two runs differ


@pytest.mark.tensorflow
@pytest.mark.timeout(300)
def test_rule_holds_on_each_engine(
    minitape: Callable[..., Any], write_script: Callable[..., Path], tensorflow_python: str
) -> None:
    script = write_script(FINDINGS + RAISES)
    ran = minitape("compare", script, "--python", tensorflow_python)
    assert (
        ran.exit_code == ExitCode.FINDING
    )  # only minitape has the registry that this ending imports


def test_order_matches_the_reference() -> None:
    page = (Path(__file__).parents[2] / "docs/commands.md").read_text(encoding="utf-8")
    order = [
        ExitCode.INTERRUPTED,
        ExitCode.USAGE,
        ExitCode.LIMIT,
        ExitCode.FINDING,
        ExitCode.SCRIPT,
        ExitCode.NOTHING,
        ExitCode.DONE,
    ]
    assert f"exits with the first of {', '.join(str(each.value) for each in order)}." in page
    for place, each in enumerate(order):
        assert winning(*order[place:][::-1]) is each
