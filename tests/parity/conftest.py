"""Makes the modules of this folder importable by name, and counts the replayed cases."""

import sys
from pathlib import Path
from typing import Any

import pytest
from probes import the_library_asks_for_nothing_that_may_be_missing  # noqa: F401  # a fixture for all tests here
from together import COUNT

HERE = Path(__file__).parent
# `record.py` runs as a script, outside pytest, and must find the same modules by the same names.
sys.path.insert(0, str(HERE))

from programs import TAPE_PAGES  # noqa: E402  # importable from here on only

REPLAY = "test_minitape_equals_tensorflow"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many of TensorFlow's recorded cases were replayed."""
    stats: dict[str, list[Any]] = terminalreporter.stats
    pages = {
        each.nodeid.partition(f"{REPLAY}[")[2].rstrip("]"): dict(each.user_properties)[COUNT]
        for outcome in ("passed", "failed")
        for each in stats.get(outcome, [])
        if REPLAY in each.nodeid
    }
    if pages:
        tapes = sum(count for page, count in pages.items() if page in TAPE_PAGES)
        terminalreporter.write_line(
            f"parity: {sum(pages.values()):,} cases of TensorFlow replayed ({tapes:,} of them about tapes)"
        )
