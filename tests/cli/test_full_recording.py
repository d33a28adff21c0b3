"""If a run has too many events for a recording, the command shows the recorded part and reports that it is incomplete."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from minitape_cli.exits import ExitCode

# A loop of 50 tapes, of which the recording contains only some; a real recording is full after 200,000 events.
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
def test_full_recording_is_reported_as_a_failure(
    command: str, minitape: Callable[..., Any], write_script: Callable[..., Path]
) -> None:
    ran = minitape(*command.format(write_script(LONG)).split())
    assert ran.exit_code == ExitCode.LIMIT
    assert NOTE in ran.stderr
    assert "later events were not recorded" in ran.stderr


def test_script_under_run_succeeds_and_the_summary_names_its_range(
    minitape: Callable[..., Any], write_script: Callable[..., Path]
) -> None:
    ran = minitape("run", write_script(LONG))
    assert ran.exit_code == ExitCode.DONE
    assert NOTE in ran.stderr


def test_stored_trace_reports_that_its_recording_was_full(
    minitape: Callable[..., Any], write_script: Callable[..., Path], tmp_path: Path
) -> None:
    stored = tmp_path / "run.jsonl"
    minitape("trace", write_script(LONG), "-o", stored)
    assert NOTE in minitape("explain", stored).stderr
