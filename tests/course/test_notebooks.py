"""Notebooks are derived from scripts: the same text in cells."""

import re

import nbformat
import pytest

from minitape.course.course import course
from minitape.course.notebooks import cells, notebook

COURSE = course()
SCRIPTS = [
    *(each.script for each in COURSE.lessons),
    *(each.starter for each in COURSE.exercises),
]


def _code(script: str) -> str:
    """The code of a percent script without its text cells and empty lines."""
    parts = re.split(r"^(# %%.*)$", script, flags=re.MULTILINE)
    kept = [parts[0]] + [
        text
        for mark, text in zip(parts[1::2], parts[2::2], strict=True)
        if "[markdown]" not in mark
    ]
    return re.sub(r"\n\s*\n+", "\n", "\n".join(kept)).strip()


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_notebook_is_valid_and_contains_the_scripts_code(path: object) -> None:
    script = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    made = notebook(script)
    nbformat.validate(made)
    joined = "\n".join(cell["source"] for cell in made["cells"] if cell["cell_type"] == "code")
    assert re.sub(r"\n\s*\n+", "\n", joined).strip() == _code(script)


def test_text_cells_lose_only_their_hashes() -> None:
    script = (
        "import a\n# %% [markdown]\n# # Title\n#\n# - one\n#   two\n# %% a name\nx = 1\n\n# kept\n"
    )
    assert cells(script) == [
        (True, "import a"),
        (False, "# Title\n\n- one\n  two"),
        (True, "x = 1\n\n# kept"),
    ]


def test_notebooks_are_reproducible_and_have_unique_cell_ids() -> None:
    script = "# %%\nx = 1\n# %%\nx = 1\n"
    first, second = notebook(script)["cells"]
    assert notebook(script) == notebook(script)
    assert first["id"] != second["id"]
