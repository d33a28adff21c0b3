"""All tests of this folder run under the fixture of `probes`."""

from probes import the_library_asks_for_nothing_that_may_be_missing  # noqa: F401  # a fixture for all tests here
