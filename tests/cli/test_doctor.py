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


def test_threads_of_the_blas_are_told(minitape: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads, on a machine with more to do than cores: the large products may wait, and what helps is said."""
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


def test_without_threadpoolctl_doctor_says_what_it_would_do(
    minitape: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from minitape.core import blas

    monkeypatch.setattr(blas, "blas_in_use", lambda: None)
    ran = minitape("doctor")
    assert ran.exit_code == 0
    assert "pip install threadpoolctl" in ran.stdout
