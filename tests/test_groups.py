"""Under pytest-xdist, tests of one group run in one worker, so that they share what takes long to prepare."""

import os

import pytest

pytestmark = pytest.mark.xdist_group("tests of groups")


def test_group_is_part_of_the_test_id(request: pytest.FixtureRequest) -> None:
    """pytest-xdist assigns tests to workers by this suffix, which some versions of pytest ignore."""
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    assert request.node.nodeid.endswith("@tests of groups") == is_worker
