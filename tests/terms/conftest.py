"""`sample` is a sample of each op of the catalog, as in tests/laws."""

import pytest
from samples import END_AFTER_ONE, REFUSE_A_SECOND, REFUSE_AFTER_ONE, SAMPLES


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "sample" in metafunc.fixturenames:
        tried = (*SAMPLES, *END_AFTER_ONE, *REFUSE_AFTER_ONE, *REFUSE_A_SECOND)
        metafunc.definition.add_marker(
            pytest.mark.together("sample", tried, parts=4, one_in=16, beside="origin")
        )
