"""Each law is tested on samples of all ops.

sample                                 every sample
sample_to_any_order                    samples whose rules can be differentiated again: nearly all
sample_that_ends, sample_that_refuses  the other samples
"""

import pytest
from probes import the_library_asks_for_nothing_that_may_be_missing  # noqa: F401  # a fixture for all tests here
from samples import END_AFTER_ONE, REFUSE_A_SECOND, REFUSE_AFTER_ONE, SAMPLES

PARTS = 2  # for two workers
TRIED = {
    "sample": (*SAMPLES, *END_AFTER_ONE, *REFUSE_AFTER_ONE, *REFUSE_A_SECOND),
    "sample_to_any_order": SAMPLES,
    "sample_that_ends": END_AFTER_ONE,
    "sample_that_refuses": (*REFUSE_AFTER_ONE, *REFUSE_A_SECOND),
    "sample_not_transposed": REFUSE_AFTER_ONE,
}


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name, samples in TRIED.items():
        if name in metafunc.fixturenames:
            metafunc.definition.add_marker(pytest.mark.together(name, samples, parts=PARTS))
