"""`sample`: each law is tried on all samples."""

import pytest
from samples import SAMPLES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "sample" in metafunc.fixturenames:
        metafunc.parametrize("sample", SAMPLES, ids=str)
