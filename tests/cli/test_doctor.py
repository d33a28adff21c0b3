"""`minitape doctor`: what is installed here."""

import json
from typing import Any

import pytest


def test_it_names_what_draws_and_what_runs(minitape: Any) -> None:
    ran = minitape("doctor")
    assert ran.exit_code == 0
    for name in ("Python", "numpy", "pictures", "TensorFlow", "terminal"):
        assert name in ran.stdout


def test_json_says_the_same(minitape: Any) -> None:
    whole = json.loads(minitape("doctor", "--json").stdout)
    assert whole["schema"] == "minitape.doctor/1"
    assert {each["name"]: each["ok"] for each in whole["data"]}["numpy"] is True


def test_a_missing_package_is_a_missing_tool_with_a_hint(
    minitape: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib.metadata import PackageNotFoundError

    from minitape_cli import checkup

    def lacks_graphviz(name: str) -> str:
        if name == "graphviz":
            raise PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(checkup, "installed", lacks_graphviz)
    ran = minitape("doctor")
    assert ran.exit_code == 5
    assert "python -m pip install graphviz" in ran.stdout
