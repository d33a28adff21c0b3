"""docs/names.md lists which of TensorFlow's names are supported."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from minitape.unsupported import table

_SPEC = importlib.util.spec_from_file_location(
    "names_page", Path(__file__).with_name("names_page.py")
)
assert _SPEC is not None and _SPEC.loader is not None
names_page: Any = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(names_page)


def test_page_is_up_to_date(request: pytest.FixtureRequest) -> None:
    """`--update` writes it again when a name was added."""
    if request.config.getoption("--update"):
        names_page.PAGE.write_text(names_page.page(), encoding="utf-8")
    assert names_page.PAGE.read_text(encoding="utf-8") == names_page.page()


def test_page_lists_every_recorded_name() -> None:
    text = names_page.page()
    reported = {
        entry.name
        for entry in table.each()
        if entry.kind in ("class", "function") and not entry.name.startswith(names_page._TWICE)
    }
    rooms = {line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")}
    absent = tuple(line.split("`")[1] + "." for line in text.splitlines() if line.startswith("| `"))
    lost = [
        name
        for name in reported
        if not (
            name.startswith(absent)
            or (name.rpartition(".")[0] in rooms and f"`{name.rpartition('.')[2]}`" in text)
        )
    ]
    assert lost == []
