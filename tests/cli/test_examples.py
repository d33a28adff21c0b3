"""The examples that come with minitape, and `minitape examples`."""

import json
from pathlib import Path
from typing import Any

import pytest

from minitape.examples import Example, catalog, find

EXPECTED = {
    "Healthy": 0,
    "None": 1,
    "Zero": 1,
}


@pytest.mark.filterwarnings("ignore:Integers and booleans have no gradient")
@pytest.mark.parametrize("example", catalog(), ids=lambda example: example.name)
def test_each_example_is_explained_as_its_docstring_says(minitape: Any, example: Example) -> None:
    kind = example.about.partition(":")[0]
    ran = minitape("explain", example.name, "--json", "--as-tensorflow")
    assert ran.exit_code == EXPECTED[kind]
    outcomes = {
        source["outcome"]
        for call in json.loads(ran.stdout)["data"]["calls"]
        for source in call["sources"]
        if source["findings"]
    }
    assert outcomes == {"Healthy": set(), "None": {"none"}, "Zero": {"zero"}}[kind]


def test_list_shows_each_example_with_its_first_line(minitape: Any) -> None:
    shown = minitape("examples").stdout
    data = json.loads(minitape("examples", "list", "--json").stdout)["data"]
    assert [each["name"] for each in data] == [each.name for each in catalog()]
    assert all(each["name"] in shown for each in data)


def test_example_is_printed_unchanged(minitape: Any) -> None:
    path = find("parabola")
    assert path is not None
    assert minitape("examples", "show", "parabola").stdout == path.read_text()


def test_example_runs(minitape: Any) -> None:
    assert minitape("examples", "run", "parabola").stdout == "y = 9.0\nslope = 6.0\n"


def test_copy_is_made_once_and_not_overwritten(minitape: Any, tmp_path: Path) -> None:
    assert minitape("examples", "copy", "parabola", tmp_path).exit_code == 0
    copy = tmp_path / "parabola.py"
    copy.write_text("mine")
    assert minitape("examples", "copy", "parabola", tmp_path).exit_code == 2
    assert copy.read_text() == "mine"
    assert minitape("examples", "copy", "parabola", tmp_path, "--force").exit_code == 0
    assert copy.read_text() != "mine"


def test_unknown_name_is_a_usage_error(minitape: Any) -> None:
    ran = minitape("examples", "show", "nothing")
    assert ran.exit_code == 2
    assert "minitape examples" in ran.stderr
