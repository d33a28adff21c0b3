"""Samples of `endure.py`: what long work holds does not grow with it."""

import os

import pytest
from endure import lesson, ops, saves

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(os.name == "nt", reason="descriptors are not counted there"),
]


def test_live_server_memory_does_not_grow_after_many_saves() -> None:
    first, _, last = saves(400)
    assert last.megabytes < first.megabytes + 5
    assert last.descriptors <= first.descriptors + 2  # a connection that is just being closed
    assert last.processes == first.processes


def test_watched_exercise_memory_does_not_grow_after_some_runs() -> None:
    first, _, last = lesson(5)
    assert last.megabytes < first.megabytes + 5
    assert (last.descriptors, last.processes) == (first.descriptors, first.processes)


def test_long_program_needs_memory_only_for_its_trace_and_leaves_no_process() -> None:
    """About 5 kB for an op, beside what the command itself takes."""
    for command, reading in ops(1000):
        assert reading.megabytes < 150, command
        assert reading.processes == 0
