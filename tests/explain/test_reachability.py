"""Which sources lie behind a value: one pass for all of them."""

from itertools import pairwise

import pytest

from minitape.explain.flow import reachability
from minitape.explain.flow.edges import FlowEdge
from minitape.explain.flow.reachability import Reachability


def chain_of(*values):
    return [FlowEdge(a, b, "op", b) for a, b in pairwise(values)]


def test_a_source_leads_to_itself_and_to_all_that_came_from_it():
    steps = chain_of(1, 3, 4)
    behind = Reachability([1, 2], steps)
    assert [behind.leads(1, each) for each in (1, 3, 4)] == [True, True, True]
    assert [behind.leads(2, each) for each in (1, 3, 4)] == [False, False, False]


def test_what_came_from_two_sources_has_both_behind_it():
    behind = Reachability(
        [1, 2], [FlowEdge(1, 3, "op", 0), FlowEdge(2, 3, "op", 0), *chain_of(3, 4)]
    )
    assert behind.leads(1, 4)
    assert behind.leads(2, 4)


@pytest.mark.parametrize("at_once", [1, 2, 3, 100])
def test_the_number_of_sources_in_a_pass_changes_no_answer(monkeypatch, at_once):
    """Source i leads to all values of its own chain, and to none of the others."""
    monkeypatch.setattr(reachability, "_AT_ONCE", at_once)
    steps = [edge for i in range(7) for edge in chain_of(i, i + 10, i + 20)]
    behind = Reachability(range(7), steps)
    for source in range(7):
        reached = [value for value in range(30) if behind.leads(source, value)]
        assert reached == [source, source + 10, source + 20]


def test_only_what_was_announced_can_be_asked_about():
    behind = Reachability([1], chain_of(1, 2))
    assert 1 in behind
    assert 2 not in behind
