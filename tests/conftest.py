"""For all tests: `samples` and its neighbours importable by name, and the switch `--update`."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="write the golden files anew; then look at them"
    )
