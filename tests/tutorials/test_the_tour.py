"""Lesson 14 sends its readers to places in the source: each of them exists."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LESSON = ROOT / "tutorials" / "14_read_the_engine" / "lesson.py"
PLACE = re.compile(r"`([a-z_0-9/]+\.py)`: ((?:`\w+`(?:,\s+(?:and )?)?)+)")


def _places() -> list[tuple[str, str]]:
    """Each name that the lesson or its hints send to, with its file."""
    page = re.sub(r"\n# ?", " ", LESSON.read_text(encoding="utf-8"))
    return [
        (file, name)
        for file, names in PLACE.findall(page)
        for name in re.findall(r"\w+", names)
        if name != "and"
    ]


@pytest.mark.parametrize(("file", "name"), _places())
def test_tour_stop_is_at_the_documented_line(file: str, name: str) -> None:
    tree = ast.parse((ROOT / "minitape" / file).read_text(encoding="utf-8"))
    defined = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            defined |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            defined.add(node.target.id)
    assert name in defined


def test_tour_has_ten_stops_and_each_opens_a_file() -> None:
    text = LESSON.read_text(encoding="utf-8")
    stops = re.split(r"# ## Stop \d+: ", text)[1:]
    assert len(stops) == 10
    assert all("**Open** `" in stop and "**Predict**" in stop for stop in stops)
