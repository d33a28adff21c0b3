"""Runs scripts on TensorFlow under the tracer, for tests: a part of the large collections, or all of them."""

import os
import subprocess
from pathlib import Path

from together import sampled

HERE = Path(__file__).parent


def a_part(scripts: list[Path], step: int) -> list[Path]:
    """Return the scripts to run: with `--whole` one part of all scripts, otherwise one in eight of these, different ones each
    day.

    With MINITAPE_WHOLE=1 in the environment, all scripts are run, which takes a quarter of an hour on two cores.
    """
    return sampled(scripts if os.environ.get("MINITAPE_WHOLE") else scripts[::step], one_in=8)


def received(python: str, folder: Path, scripts: list[Path], *, only: bool = False) -> None:
    """Run scripts on TensorFlow, and store traces and what they print in a folder.

    Args:
        python: A Python that has TensorFlow.
        folder: The folder for `name.jsonl`, `name.plain` and `name.received`.
        scripts: The scripts. A lesson has the name of its folder, and imports TensorFlow instead of minitape.
        only: Do not store the output without a tracer.
    """
    lessons = folder / "lessons"
    lessons.mkdir()
    given = [_lesson(each, lessons) if each.name == "lesson.py" else each for each in scripts]
    how = ["--only"] if only else []
    command = [python, str(HERE / "trace_script.py"), *how, str(folder), *map(str, given)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-2000:]


def _lesson(script: Path, folder: Path) -> Path:
    text = script.read_text(encoding="utf-8")
    copy = folder / f"{script.parent.name}.py"
    copy.write_text(text.replace("import minitape as tf", "import tensorflow as tf"), "utf-8")
    return copy
