"""Makes `printed` importable by name."""

import sys
from pathlib import Path

from probes import the_library_asks_for_nothing_that_may_be_missing  # noqa: F401  # a fixture for all tests here

sys.path.insert(0, str(Path(__file__).parent))
