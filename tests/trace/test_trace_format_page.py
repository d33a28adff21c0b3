"""docs/trace-format.md tells what the types say, and what it shows runs."""

import re
from pathlib import Path

from minitape.trace.events import KINDS
from minitape.trace.schema import reference_page

PAGE = Path(__file__).parents[2] / "docs/trace-format.md"


def parts(text):
    """What is written by hand before the reference, the reference, and what is written after it."""
    before, kinds, rest = text.partition("## Kinds\n")
    reference, tool, after = rest.partition("\n## A tool of your own")
    return before, kinds + reference, tool + after


def test_the_reference_says_what_the_types_say(request):
    before, _, after = parts(PAGE.read_text(encoding="utf-8"))
    if request.config.getoption("--update"):
        PAGE.write_text(before + reference_page() + after, encoding="utf-8")
    assert parts(PAGE.read_text(encoding="utf-8"))[1] == reference_page()


def test_all_kinds_and_what_a_tensor_holds_are_told():
    reported = re.findall(r"^### `(\w+)`$", reference_page(), re.M)
    assert reported == ["T", *KINDS]


def test_the_fields_inside_a_field_are_told():
    assert "| `inputs[].t` | `inputs[].value` | id |" in reference_page()


def test_no_bar_of_a_meaning_ends_its_column():
    rows = [line for line in reference_page().splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {5}


def test_the_tool_that_it_shows_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    exec(code, {})
    assert capsys.readouterr().out.strip() == code.partition("print(unrecorded)  # ")[2].strip()
