"""docs/trace-format.md tells what the schema knows, and what it shows runs."""

import re
from pathlib import Path

import pytest

from minitape.debug.schema import schema

PAGE = (Path(__file__).parents[2] / "docs/trace-format.md").read_text(encoding="utf-8")
KINDS = schema()["$defs"]["events"]
SHARED = {"at", "stack"}  # told once, at the top


def section(kind):
    """What the page says under the heading that names a kind."""
    parts = re.split(r"^### (.*)\n", PAGE, flags=re.M)
    (text,) = (text for heading, text in zip(parts[1::2], parts[2::2]) if f"`{kind}`" in heading)
    return text.partition("\n## ")[0]


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_is_told(kind):
    assert [name for name in KINDS[kind]["properties"] if name not in SHARED] == [
        name
        for name in KINDS[kind]["properties"]
        if name not in SHARED and re.search(rf"`{name}`", section(kind))
    ]


def test_no_kind_is_told_that_there_is_none_of():
    told = re.findall(r"^### (.*)$", PAGE, re.M)
    assert {name for heading in told for name in re.findall(r"`(\w+)`", heading)} == {*KINDS, "T"}


def test_every_field_of_a_tensor_is_told():
    assert all(f'"{name}"' in PAGE for name in schema()["$defs"]["T"]["properties"])


def test_the_tool_that_it_shows_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    exec(code, {})
    assert capsys.readouterr().out.strip() == code.partition("print(unrecorded)  # ")[2].strip()
