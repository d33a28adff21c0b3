"""docs/editors.md: the problem matcher reads the output of `explain --format brief`, and the first cell of a notebook runs."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from minitape.examples import find

PAGE = Path(__file__).parents[2] / "docs" / "editors.md"


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)


def _printed(*arguments: str, cwd: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "minitape", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout.splitlines()


def test_problem_matcher_parses_each_line_of_the_task() -> None:
    (task,) = json.loads(_blocks("json")[0])["tasks"]
    script = find("numpy_detour")
    assert script is not None
    arguments = [each.replace("${file}", str(script)) for each in task["args"][2:]]
    lines = _printed(*arguments, cwd=script.parent)
    pattern = task["problemMatcher"]["pattern"]
    found = [re.match(pattern["regexp"], line) for line in lines]
    assert found and all(found)
    first = found[0]
    assert first is not None
    assert (script.parent / first[pattern["file"]]).is_file()
    assert [first[pattern[name]] for name in ("line", "column", "code")] == ["13", "11", "MT201"]
    assert lines[0] in _blocks("text")[0]


def test_inputs_of_the_action_are_listed_with_their_defaults() -> None:
    action = (PAGE.parents[1] / "action" / "action.yml").read_text(encoding="utf-8")
    inputs = action.partition("inputs:\n")[2].partition("\nruns:")[0]
    declared = re.findall(r"^  (\w+):\n(?:    .+\n)*?    default: \"(.*)\"$", inputs, re.M)
    table = PAGE.read_text(encoding="utf-8").partition("| input |")[2]
    listed = re.findall(r"^\| `(\w+)` \| .+ \| (\w+) \|$", table, re.M)
    assert declared and listed == [(name, default or "none") for name, default in declared]


@pytest.mark.tensorflow
def test_first_cell_works_with_the_installed_tensorflow(
    tensorflow_python: str, tmp_path: Path
) -> None:
    """The cell runs in IPython itself, without its first line, which installs minitape."""
    cell = "\n".join(_blocks("text")[1].splitlines()[1:])
    program = f"""
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
assert shell.run_cell({cell!r}).success
assert shell.run_cell('''%%why
w = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = tf.constant(w.numpy() ** 2)
tape.gradient(y, w)''').success
"""
    root = PAGE.parents[1]
    done = subprocess.run(
        [tensorflow_python, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'cli'}"},
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "MT201" in done.stdout
