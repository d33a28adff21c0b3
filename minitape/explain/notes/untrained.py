"""Trainable variables that the target of a call uses, and for which no call of the run requests a gradient."""

import re
from collections.abc import Iterator, Sequence

from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.notes import kinds
from minitape.explain.notes.kind import NoteCase
from minitape.trace import events

_ALL_WEIGHTS = re.compile(r"\.(trainable_)?(variables|weights)\b")


def noticed(
    flow: FlowGraph, iterations: Sequence[GradientCall]
) -> Iterator[NoteCase[kinds.NeverTrained]]:
    """Yield a note for each such variable that an object keeps, if the call requests the gradients of all weights of a model."""
    call = iterations[0]
    if not _ALL_WEIGHTS.search(call.event.text):
        return
    candidates = [each for each in flow.variables.values() if _is_stored(flow, each)]
    requested = flow.once_for_all(_requested) if candidates else set()
    untrained = [each for each in candidates if each.variable not in requested]
    past = flow.once(FlowGraph.own_past, call) if untrained else set()
    for made in untrained:
        if made.variable in past and not flow.assigns.get(made.variable):
            facts = kinds.NeverTrained(variable=made.variable)
            visits = tuple(each.event.visit for each in iterations)
            yield NoteCase(kinds.never_trained, call, made.i, facts, visits=visits)


def _is_stored(flow: FlowGraph, made: events.VariableEvent) -> bool:
    """Whether a trainable variable is a plain `tf.Variable` that a Keras layer or model keeps as an attribute."""
    site = flow.innermost(made)
    if site is None or not made.trainable or not (site.target or "").startswith("self."):
        return False
    if re.match(r"(tf\.|tensorflow\.)?Variable\(", site.expression) is None:
        return False
    owner = site.function.rpartition(".")[0].rpartition(".")[2]
    head = rf"class {re.escape(owner)}\([^)]*\b(Layer|Model)\b"
    return bool(owner) and re.search(head, flow.texts.get(site.at.file, "")) is not None


def _requested(flow: FlowGraph) -> set[int]:
    """Return all variables that are a source of some call."""
    return {
        source.value
        for call in flow.calls.values()
        for source in call.event.sources
        if source.value is not None
    }
