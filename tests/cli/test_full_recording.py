"""A run with more events than a recording holds: what is shown covers the run up to there, and the command says so."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from minitape_cli.exits import ExitCode

# A loop of 50 tapes, of which the recording holds some: a real recording is full after 200,000 events.
LONG = """\
from minitape.tracer import tracer
import minitape as tf

tracer.tracing[0]._max_events = 100
x = tf.Variable(1.0)
for _ in range(50):
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, x) is not None
print("done")
"""
NOTE = "The recording is full after"


@pytest.mark.parametrize(
    "command", ["explain {}", "trace {}", "graph {}", "step {} --text", "html {} -o -", "check {}"]
)
def test_a_full_recording_is_reported_and_is_no_success(
    command: str, minitape: Callable[..., Any], written: Callable[..., Path]
) -> None:
    ran = minitape(*command.format(written(LONG)).split())
    assert ran.exit_code == ExitCode.LIMIT
    assert NOTE in ran.stderr
    assert "later events were not recorded" in ran.stderr


def test_a_script_under_run_succeeds_all_the_same_and_the_summary_says_what_it_counts(
    minitape: Callable[..., Any], written: Callable[..., Path]
) -> None:
    ran = minitape("run", written(LONG))
    assert ran.exit_code == ExitCode.DONE
    assert NOTE in ran.stderr


def test_a_stored_trace_that_was_full_says_so(
    minitape: Callable[..., Any], written: Callable[..., Path], tmp_path: Path
) -> None:
    stored = tmp_path / "run.jsonl"
    minitape("trace", written(LONG), "-o", stored)
    assert NOTE in minitape("explain", stored).stderr
