"""The sources on which a value depends are found in one pass."""

from itertools import pairwise

import pytest

from minitape.explain.flow import reachability
from minitape.explain.flow.edges import FlowEdge
from minitape.explain.flow.reachability import Reachability


def chain_of(*values):
    return [FlowEdge(a, b, "op", b) for a, b in pairwise(values)]


def test_source_reaches_itself_and_all_derived_values():
    steps = chain_of(1, 3, 4)
    behind = Reachability([1, 2], steps)
    assert [behind.leads(1, each) for each in (1, 3, 4)] == [True, True, True]
    assert [behind.leads(2, each) for each in (1, 3, 4)] == [False, False, False]


def test_value_computed_from_two_sources_depends_on_both():
    behind = Reachability(
        [1, 2], [FlowEdge(1, 3, "op", 0), FlowEdge(2, 3, "op", 0), *chain_of(3, 4)]
    )
    assert behind.leads(1, 4)
    assert behind.leads(2, 4)


@pytest.mark.parametrize("at_once", [1, 2, 3, 100])
def test_number_of_sources_per_pass_does_not_change_results(monkeypatch, at_once):
    """Source i reaches all values of its own chain, and no values of other chains."""
    monkeypatch.setattr(reachability, "_AT_ONCE", at_once)
    steps = [edge for i in range(7) for edge in chain_of(i, i + 10, i + 20)]
    behind = Reachability(range(7), steps)
    for source in range(7):
        reached = [value for value in range(30) if behind.leads(source, value)]
        assert reached == [source, source + 10, source + 20]


def test_only_the_given_sources_can_be_queried():
    behind = Reachability([1], chain_of(1, 2))
    assert 1 in behind
    assert 2 not in behind
