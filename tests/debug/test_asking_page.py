"""The page about explaining from inside a program: its script prints the output shown below it, and the names on it exist."""

import io
import re
from pathlib import Path

from traced import run

import minitape as tf

PAGE = (Path(__file__).parents[2] / "docs" / "asking.md").read_text(encoding="utf-8")


def test_script_prints_the_shown_output(tmp_path: Path) -> None:
    ((code, promised),) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.S)
    script = tmp_path / "lesson.py"
    script.write_text(code)
    out = io.StringIO()
    assert run(script, stdout=out).ok
    assert out.getvalue() == promised


def test_each_name_on_the_page_exists() -> None:
    tables = "".join(re.findall(r"^\| .* \|$", PAGE, re.M))
    assert {"tf.why", "tape.explain"} <= set(re.findall(r"\w+\.\w+", tables))
    assert "`recording.stop()`" in PAGE
    with tf.debug.record() as recording:
        assert callable(tf.why)
        assert callable(tf.GradientTape().explain)
    assert callable(recording.stop)
