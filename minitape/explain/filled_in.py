"""A None that the user does not see because zeros replace it.

`is_filled_in`   the call itself returned zeros: unconnected_gradients="zero", or a batch_jacobian, which never returns None
`are_meant`      the zeros are intended: nothing is lost, or the gradient was stopped on purpose
`reported`       a finding of such a source, with a sentence on what hides it

With `unconnected_gradients="zero"` a tape returns zeros in every case in which it would have returned None, so the explanation
looks for the same causes as for a None. The zeros are intended in two cases. In the first, the derivative is 0 because nothing
leads from the source to the target. In the second, the program shows in two ways that no gradient is expected: with
`stop_gradient` or `trainable=False`, and with the request for zeros.
"""

from dataclasses import replace

from minitape.explain.cut_sets import Losses
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import largest
from minitape.explain.flow.program.text import line_that_fills_in
from minitape.explain.report import Finding
from minitape.explain.texts import report as texts
from minitape.trace import events

_CODE = "MT603"


def is_filled_in(call: GradientCall, result: events.ResultEvent) -> bool:
    """Whether the zeros of a source replace a None."""
    if result.numbers is None or largest(result.numbers) or result.value in call.reached:
        return False
    return _asks_for_zeros(call) or call.event.api == "batch_jacobian"


def _asks_for_zeros(call: GradientCall) -> bool:
    return call.event.unconnected == "zero"


def are_meant(call: GradientCall, lost: Losses) -> bool:
    """Whether each set of fixes has a cause whose gradient is zero by design."""
    meant = {i for i, loss in enumerate(lost.losses) if loss.found.cause.zeros_meant}
    return _asks_for_zeros(call) and all(meant.intersection(fix_set) for fix_set in lost.cut_sets)


def reported(
    flow: FlowGraph, call: GradientCall, result: events.ResultEvent, finding: Finding
) -> Finding:
    """Return a finding; if zeros replace its None, its message says so."""
    if is_filled_in(call, result):
        why = texts.ZEROS_REQUESTED if _asks_for_zeros(call) else texts.ZEROS_OF_JACOBIAN
        message = finding.message + why(code=finding.code)
        return replace(finding, code=_CODE, message=message)
    if result.numbers is not None:
        return finding
    at = call.event.at
    line = None if at is None else line_that_fills_in(flow.texts.get(at.file, ""), at.line)
    if line is None:
        return finding
    message = finding.message + texts.ZEROS_FILLED_IN(line=line, code=_CODE)
    return replace(finding, message=message)
