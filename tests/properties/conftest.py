"""How many programs and shapes are drawn: 200 as a rule, 2 000 with `pytest tests/properties --hypothesis-profile=thorough`.

The first are always the same ones, so that a green run stays green; the second are new each time.
"""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady",
    max_examples=200,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", settings.get_profile("steady"), max_examples=2000, derandomize=False
)
settings.load_profile("steady")
