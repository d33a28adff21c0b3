"""`.ci/lowest.py` and `.ci/check_wheel.py`, with which CI tests the wheel."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

CI = Path(__file__).parents[1] / ".ci"


def _script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, CI / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


METADATA = {
    f"minitape-9.dist-info/{name}" for name in ("METADATA", "entry_points.txt", "licenses/LICENSE")
}


def test_lowest_version_of_each_requirement_is_found() -> None:
    assert _script("lowest").lowest(["numpy>=2.0", "rich>=14,<20"]) == ["numpy==2.0", "rich==14"]


def test_requirement_without_a_lower_bound_is_rejected() -> None:
    with pytest.raises(ValueError, match="'rich' has no lower bound"):
        _script("lowest").lowest(["rich"])


def test_complete_wheel_has_no_faults() -> None:
    check = _script("check_wheel")
    assert check.faults_of_wheel({*check.expected(), *METADATA}, size=2_000_000) == []


def test_missing_or_extra_module_is_a_fault() -> None:
    check = _script("check_wheel")
    names = {*check.expected(), *METADATA, "tests/conftest.py"} - {"minitape/core/tensor.py"}
    assert check.faults_of_wheel(names, size=2_000_000) == [
        "the wheel lacks minitape/core/tensor.py",
        "the wheel should not contain tests/conftest.py",
    ]


def test_too_large_wheel_is_a_fault() -> None:
    check = _script("check_wheel")
    (fault,) = check.faults_of_wheel({*check.expected(), *METADATA}, size=3_500_000)
    assert "3,500,000 bytes" in fault


def test_sdist_without_tests_is_a_fault() -> None:
    check = _script("check_wheel")
    names = {f"minitape-9/{name}" for name in check.IN_SDIST if not name.startswith("tests")}
    assert check.faults_of_sdist(names) == ["the sdist lacks tests/conftest.py"]
