"""An exercise in a notebook: checked, hinted at and solved in a kernel, and graded like the file."""

import json
from pathlib import Path

import nbclient
import nbformat
import pytest
from courses import write_course
from nbformat.v4 import new_code_cell, new_notebook

from minitape.course.attempts import Limits
from minitape.course.course import course
from minitape.course.grading.session import begun
from minitape.course.grading.submissions import found
from minitape.course.notebooks import notebook

CLINIC = course().exercise("06/ex1")
FIXED = ("as tape:\n", "as tape:\n        tape.watch(picture)\n")


def _ran(cells: list[str], folder: Path) -> list[str]:
    """The output of each cell, as text."""
    made = new_notebook(cells=[new_code_cell(text) for text in cells])
    nbclient.NotebookClient(
        made,
        timeout=100,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    return ["".join(map(_text, cell.outputs)) for cell in made.cells]


def _text(output: nbformat.NotebookNode) -> str:
    return output.get("text") or output.get("data", {}).get("text/plain") or output.get("evalue")


def test_exported_exercise_is_checked_by_its_last_cell(tmp_path: Path) -> None:
    script = CLINIC.starter.read_text(encoding="utf-8")
    exported = notebook(script, CLINIC.short)
    nbformat.validate(exported)
    code = [cell["source"] for cell in exported["cells"] if cell["cell_type"] == "code"]
    answer = next(each for each in code if "# TODO" in each)
    again = [answer.replace("picture**2", f"picture**2 + {n}.0") for n in (1, 2)]
    check = f"%check {CLINIC.short}"
    cells = [*code, again[0], check, again[1], check, f"%hint {CLINIC.short}"]
    cells += [answer.replace(*FIXED), check, "%solution 06/ex1", "%check 99", "%check"]
    below = _ran(cells, tmp_path)
    first, *_ = (text for text in below if "checks pass" in text)
    assert "`slopes([" in first and "returned None" in first and "MT101" not in first
    own = below[len(code) :]
    assert "MT101" not in own[1] and "For a hint, run %hint 06/ex1" in own[1]
    assert "add `tape.watch(picture)` as the first line of the `with` block" in own[3]
    assert own[4].startswith("hint 1 of 3")
    assert "passed: 4 of 4 checks pass." in own[6] and "Markdown" in own[6]
    assert "does not show solutions" in own[7]
    assert "this course has no 99" in own[8] and "try : %check 03/ex2" in own[9]


def test_course_may_show_its_solutions_after_an_attempt(tmp_path: Path) -> None:
    taught = write_course(tmp_path / "taught")
    toml = taught / "course.toml"
    toml.write_text(toml.read_text() + 'solutions = "solutions"\n')
    (tmp_path / "mine" / ".minitape").mkdir(parents=True)
    chosen = json.dumps({"source": str(taught), "track": "full"})
    (tmp_path / "mine" / ".minitape" / "course.json").write_text(chosen)
    starter = (taught / "01_first" / "ex1_guess.py").read_text()
    code = [cell["source"] for cell in notebook(starter)["cells"] if cell["cell_type"] == "code"]
    cells = ["%load_ext minitape", "%check 1/1", *code, "%solution 1/1", "%check 1/1"]
    below = _ran([*cells, "%solution 1/1"], tmp_path / "mine")
    assert "first run the cell that contains the lines `# TODO` and `# END`" in below[1]
    assert below[-3].strip() == "Try the exercise first: run %check 01/ex1"
    assert "`slope` is still open" in below[-2]
    assert below[-1].strip() == "slope = 6.0"
    progress = json.loads((tmp_path / "mine" / ".minitape" / "progress.json").read_text())
    assert progress["exercises"]["01_first/ex1_guess"]["tries"] == 1


@pytest.mark.parametrize(("change", "status"), [(("", ""), "failed"), (FIXED, "passed")])
def test_notebook_is_graded_like_the_file(
    change: tuple[str, str], status: str, tmp_path: Path
) -> None:
    script = CLINIC.starter.read_text(encoding="utf-8").replace(*change)
    for student, suffix, text in (
        ("anna", "ipynb", json.dumps(notebook(script, CLINIC.short))),
        ("berta", "py", script),
    ):
        file = tmp_path / "class" / student / f"{CLINIC.name}.{suffix}"
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
    whole = course()
    submissions = found([tmp_path / "class"], whole)
    session = begun(whole, [CLINIC], submissions, limits=Limits(20.0), seed=1)
    rows = list(session.new())
    assert [row.status for row in rows] == [status, status]
    assert [row.outside for row in rows] == [(), ()]
    assert {row.is_starter for row in rows} == {status == "failed"}
