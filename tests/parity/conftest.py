"""Makes the modules of this folder importable by name, and counts what was replayed."""

import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
# `record.py` runs as a script, outside pytest, and must find the same modules by the same names.
sys.path.insert(0, str(HERE))

from programs import TAPE_PAGES  # noqa: E402  # importable from here on only

REPLAY = "test_minitape_does_as_tensorflow_did"
TAPES = tuple(f"{page}-" for page in TAPE_PAGES)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many of TensorFlow's recorded cases were replayed."""

    def replayed(outcome: str) -> list[str]:
        reports: list[Any] = terminalreporter.stats.get(outcome, [])
        names = [each.nodeid.partition(f"{REPLAY}[")[2] for each in reports]
        return [name for name in names if name]

    agree, differ = replayed("passed"), replayed("failed")
    if agree or differ:
        tapes = sum(name.startswith(TAPES) for name in agree + differ)
        terminalreporter.write_line(
            f"parity: {len(agree) + len(differ)} cases of TensorFlow replayed ({tapes} of them about tapes), "
            f"{len(agree)} agree, {len(differ)} differ"
        )
