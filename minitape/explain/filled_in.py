"""A None that nobody sees: zeros stand in its place.

is_filled_in     the call itself gave zeros: unconnected_gradients="zero", or a batch_jacobian, which knows no None
are_meant        zeros are what the program means: nothing is lost, or it was cut off on purpose
told             a finding of such a source, with what hides it

A tape that is asked for zeros gives them for every reason for which it would have said None. So the reason is looked for as
for a None. Zeros are meant where the slope is 0 indeed, as nothing leads from the source to the target, and where the program
says twice that nothing should come back: with stop_gradient or trainable=False, and with the zeros that it asks for.
"""

from dataclasses import replace

from minitape.explain.cut_sets import Losses
from minitape.explain.flow.calls import Call
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.magnitudes import largest
from minitape.explain.flow.program.text import line_that_fills_in
from minitape.explain.report import Finding
from minitape.trace import events

_CODE = "MT603"


def is_filled_in(call: Call, result: events.Result) -> bool:
    """Whether the zeros of a source were put there in place of None."""
    if result.numbers is None or largest(result.numbers) or result.value in call.reached:
        return False
    return _asks_for_zeros(call) or call.event.api == "batch_jacobian"


def _asks_for_zeros(call: Call) -> bool:
    return call.event.unconnected == "zero"


def are_meant(call: Call, lost: Losses) -> bool:
    """Whether on each way something stands that gives zero by design."""
    meant = {i for i, loss in enumerate(lost.losses) if loss.found.cause.zeros_meant}
    return _asks_for_zeros(call) and all(meant.intersection(way) for way in lost.cut_sets)


def told(flow: Flow, call: Call, result: events.Result, finding: Finding) -> Finding:
    """A finding; where it is one of a None and something stands in the place of that, this is said too."""
    if is_filled_in(call, result):
        zeros = 'unconnected_gradients="zero" asks for'
        if not _asks_for_zeros(call):
            zeros = "batch_jacobian gives"
        said = (
            f" The tape has nothing for this source, and in place of None stand the zeros that {zeros}: "
            f"they say nothing about a slope ({finding.code})."
        )
        return replace(finding, code=_CODE, message=finding.message + said)
    if result.numbers is not None:
        return finding
    at = call.event.at
    line = None if at is None else line_that_fills_in(flow.texts.get(at.file, ""), at.line)
    if line is None:
        return finding
    said = f" Line {line} puts zeros in the place of that None, so nothing complains ({_CODE})."
    return replace(finding, message=finding.message + said)
