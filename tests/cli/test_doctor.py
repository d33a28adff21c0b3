"""`minitape doctor`: what is installed."""

import json
import re
from typing import Any

import pytest


def test_layout_programs_and_engines_are_listed(minitape: Any) -> None:
    ran = minitape("doctor")
    assert ran.exit_code == 0
    for name in ("Python", "numpy", "pictures", "TensorFlow", "terminal"):
        assert name in ran.stdout


def test_slides_without_their_libraries_are_svg_only(
    minitape: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`graphviz-pure` writes no slides, so its line alone would promise too much."""
    from minitape.draw.write import paper

    assert "SVG, PNG, PDF, GIF" in minitape("doctor").stdout
    monkeypatch.setattr(paper, "find_spec", lambda name: None)
    ran = minitape("doctor")
    assert ran.exit_code == 0
    assert re.search(r"slides +SVG\n", ran.stdout)
    assert 'for PNG, PDF, GIF, run `python -m pip install "minitape[pictures]"`' in ran.stdout


def test_json_contains_the_same_facts(minitape: Any) -> None:
    whole = json.loads(minitape("doctor", "--json").stdout)
    assert whole["schema"] == "minitape.doctor/1"
    assert {each["name"]: each["ok"] for each in whole["data"]}["numpy"] is True


def test_missing_package_is_reported_with_a_hint(
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


def test_blas_thread_advice_is_shown_on_a_busy_machine(
    minitape: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two threads on a machine with more work than cores, large products may wait; doctor reports the remedy."""
    from minitape.core import blas
    from minitape_cli import checkup

    class TwoThreads:
        def info(self) -> list[dict[str, Any]]:
            return [{"num_threads": 2, "internal_api": "openblas"}]

    monkeypatch.setattr(blas, "blas_in_use", TwoThreads)
    monkeypatch.setattr(checkup, "_cores_are_busy", lambda: True)
    said = minitape("doctor").stdout
    assert "2 (openblas); 1 for small products; the cores are busy" in said
    assert "OPENBLAS_NUM_THREADS=1" in said
    monkeypatch.setattr(checkup, "_cores_are_busy", lambda: False)
    assert "OPENBLAS_NUM_THREADS" not in minitape("doctor").stdout


def test_missing_threadpoolctl_is_reported(minitape: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from minitape.core import blas

    monkeypatch.setattr(blas, "blas_in_use", lambda: None)
    ran = minitape("doctor")
    assert ran.exit_code == 0
    assert "pip install threadpoolctl" in ran.stdout
