"""`reported(...)` runs a script and builds its timeline."""

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from traced import run

from minitape.explain.explain import explain
from minitape.timeline import Timeline, build_timeline


@pytest.fixture
def reported(tmp_path: Path) -> Callable[[str], Timeline]:
    def reported(text: str) -> Timeline:
        path = tmp_path / "lesson.py"
        path.write_text("import minitape as tf\n" + textwrap.dedent(text))
        ran = run(path, timeout=30, max_ops=10_000)
        assert ran.error is None, ran.error
        return build_timeline(ran.trace, explain(ran.trace))

    return reported
