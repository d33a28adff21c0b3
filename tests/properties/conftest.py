"""How many programs and shapes are drawn: 40 as a rule, 200 with `--whole`, 2 000 with `--hypothesis-profile=thorough`.

The first two are always the same ones, so that a green run stays green; the third are new each time.
"""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "whole",
    max_examples=200,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("whole"), max_examples=40)
settings.register_profile(
    "thorough", settings.get_profile("whole"), max_examples=2000, derandomize=False
)


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("whole" if config.getoption("--whole") else "quick")
