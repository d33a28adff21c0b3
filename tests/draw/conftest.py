"""Golden files: what was written once and looked at must come out again, byte for byte."""

from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the golden file of this name, or write it with `--update`."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update", default=False):
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.exists(), (
            f"no golden file {name}: run pytest --update and look at what it wrote"
        )
        assert text == path.read_text(encoding="utf-8")

    return compare
