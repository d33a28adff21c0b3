"""docs/trace-format.md describes the types, and its example program runs."""

import re
from pathlib import Path

from minitape.trace.events import KINDS
from minitape.trace.schema import reference_page

PAGE = Path(__file__).parents[2] / "docs/trace-format.md"


def parts(text):
    """The page in three parts: before the reference, the reference, and after it."""
    before, kinds, rest = text.partition("## Kinds\n")
    reference, tool, after = rest.partition("\n## A tool of your own")
    return before, kinds + reference, tool + after


def test_reference_equals_the_types(request):
    before, _, after = parts(PAGE.read_text(encoding="utf-8"))
    if request.config.getoption("--update"):
        PAGE.write_text(before + reference_page() + after, encoding="utf-8")
    assert parts(PAGE.read_text(encoding="utf-8"))[1] == reference_page()


def test_reference_describes_all_kinds_and_tensors():
    reported = re.findall(r"^### `(\w+)`$", reference_page(), re.M)
    assert reported == ["T", *KINDS]


def test_reference_describes_nested_fields():
    assert "| `inputs[].t` | `inputs[].value` | id |" in reference_page()


def test_table_cells_contain_no_unescaped_bar():
    rows = [line for line in reference_page().splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {5}


def test_example_program_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    exec(code, {})
    assert capsys.readouterr().out.strip() == code.partition("print(unrecorded)  # ")[2].strip()
