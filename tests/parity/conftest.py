"""Makes the modules of this folder importable by name, and counts what was replayed."""

import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
# `record.py` runs as a script, outside pytest, and must find the same modules by the same names.
sys.path.insert(0, str(HERE))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many of TensorFlow's recorded cases were replayed."""

    def replayed(outcome: str) -> int:
        reports: list[Any] = terminalreporter.stats.get(outcome, [])
        return sum("test_minitape_does_as_tensorflow_did" in each.nodeid for each in reports)

    agree, differ = replayed("passed"), replayed("failed")
    if agree or differ:
        terminalreporter.write_line(
            f"parity: {agree + differ} cases of TensorFlow replayed, {agree} agree, {differ} differ"
        )
