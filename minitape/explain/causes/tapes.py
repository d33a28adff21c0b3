"""Causes in the life of a tape: what ran outside it, what another tape recorded, and what it discarded."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from minitape.explain.causes.cause import Cause, Facts, FindingContext, OnCard
from minitape.explain.causes.rewriting import with_target
from minitape.explain.causes.texts import Words, code, shared
from minitape.explain.causes.texts import tapes as texts
from minitape.explain.causes.wording import cached
from minitape.explain.causes.wording.cached import Kept
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.text import sources_in
from minitape.trace import events


@dataclass(frozen=True, kw_only=True)
class OffTape(Facts):
    """A value was computed where the tape does not record.

    Attributes:
        kept: The cache or store that keeps the value from before the tape opened, if there is one.
    """

    kept: Kept | None = None


@dataclass(frozen=True, kw_only=True)
class OnOtherTape(OffTape):
    """A value was computed on another tape.

    Attributes:
        op: The event of the op that computed it.
        again: The sites of two calls that opened a tape with the same `with` statement, if there are such calls.
        for_other: Whether the other tape needs the value too.
    """

    op: int
    again: tuple[int, int] | None = None
    for_other: bool = False


@dataclass(frozen=True, kw_only=True)
class WhilePaused(Facts):
    """A value was computed while the recording was stopped.

    Attributes:
        op: The event of the op that computed it.
    """

    op: int


def _computed_before(context: FindingContext[OffTape]) -> Words:
    if context.facts.kept is not None:
        return cached.reported(context, context.facts.kept)
    return texts.COMPUTED_BEFORE(
        result=context.the_result,
        line=context.place_line,
        tape=context.tape,
        incomplete=context.share,
        fix=_compute_inside(context),
    )


computed_before_tape = Cause(
    "computed-before-tape",
    "MT107",
    says=_computed_before,
    card=OnCard(texts.BEFORE_CARD, texts.NOT_RECORDED_EDGE),
    goes_on=True,
    is_slip=True,
)


def _made_again(context: FindingContext[OffTape]) -> str:
    """Return the advice to compute the value again inside the tape of the gradient call."""
    site, opened = context.place_site, context.line_of(context.tape_event)
    if site is None or _name_given(context) is None:
        return texts.COMPUTE_AGAIN(
            result=context.the_result, opened=opened, line=context.place_line
        )
    statement = code(" ".join(site.code.split()))
    return texts.WRITE_AGAIN(statement=statement, opened=opened, line=context.place_line)


def _name_given(context: FindingContext[OffTape]) -> str | None:
    """Return the name that the statement to point at gives its value."""
    code = "" if context.place_site is None else context.place_site.code
    given = re.match(r"([\w., ]+) = ", code)
    return given[1] if given else None


def _is_used_before(context: FindingContext[OffTape]) -> bool:
    """Whether something else uses the value before the tape opens, so that the statement cannot simply be moved."""
    flow, opened, name = context.flow, context.tape_event, context.result
    past = flow.once(FlowGraph.own_past, context.call)
    if opened is None or not name.isidentifier():
        return False
    values = [
        output.id
        for op in flow.ops.values()
        if op.i < opened.i and flow.name(op.outputs[0].id) == name
        for output in op.outputs
        if context.place_line in [flow.sites[each].at.line for each in op.stack]
    ]
    uses = (flow.event(edge.event) for each in values for edge in flow.out_of.get(each, ()))
    return any(
        isinstance(use, events.OpEvent)
        and use.i < opened.i
        and use.number not in flow.call_of_op
        and past.isdisjoint(output.id for output in use.outputs)
        and context.place_line not in [flow.sites[each].at.line for each in use.stack]
        for use in uses
    )


def _compute_inside(context: FindingContext[OffTape]) -> str:
    """Return the advice to compute the value inside the block; only a plain statement can be moved without changes."""
    site, result = context.place_site, context.the_result
    line = "" if site is None else site.code
    if _is_used_before(context):
        return _made_again(context)
    if line.startswith(("def ", "lambda")):
        return texts.COMPUTE_IN_FUNCTION(result=result)
    if site is not None and site.function.endswith(("__init__", "build")):
        return texts.COMPUTE_WHERE_USED(result=result, function=code(site.function))
    if re.match(r"(for|while|if|elif|return|with|class)\b", line):
        return texts.COMPUTE_IN_BLOCK(result=result)
    return texts.MOVE_INTO_BLOCK(line=context.place_line)


def _computed_after(context: FindingContext[Facts]) -> Words:
    result, line = context.result, context.place_line
    fix = texts.MOVE_INTO_BLOCK(line=line)
    if line == context.line_of(context.call.event):
        target = context.target
        if not target.isidentifier() and target in context.code_of(context.call.event):
            result = target  # as the call writes it: what is around the call is not meant
        name = target if target.isidentifier() and target != result else "value"
        fix = texts.COMPUTE_THEN_CALL(
            statement=code(f"{name} = {result}"), call=code(with_target(context.call_text, name))
        )
    return texts.COMPUTED_AFTER(result=code(result), line=line, tape=context.tape, fix=fix)


computed_after_tape = Cause(
    "computed-after-tape",
    "MT108",
    says=_computed_after,
    card=OnCard(texts.AFTER_CARD, texts.NOT_RECORDED_EDGE),
    goes_on=True,
    is_slip=True,
)


def _other_tape(context: FindingContext[OnOtherTape]) -> Words:
    if context.facts.kept is not None:
        return cached.reported(context, context.facts.kept)
    op, opened, incomplete = context.flow.op(context.facts.op), context.tape_event, context.share
    made = context.with_line(code(context.result_of(op)), op)
    if isinstance(context.event, events.GradientEvent):
        return texts.REQUESTED_WRONG_TAPE(made=made, tape=context.tape)
    if opened is not None and op.i > opened.i:
        return texts.RECORDED_AFTER(made=made, tape=context.tape, incomplete=incomplete)
    if context.facts.for_other:
        return texts.COMPUTED_FOR_OTHER(
            result=code(_name_given(context) or context.result),
            line=context.place_line,
            opened=context.line_of(opened),
            incomplete=incomplete,
            fix=_made_again(context),
        )
    again = _opened_again(context)
    if again is not None:
        return texts.TAPE_REPLACED(
            before=again.before,
            after=again.after,
            made=made,
            opened=context.line_of(opened),
            tape=code(context.tape_name),
            incomplete=incomplete,
        )
    if isinstance(context.event, events.OpEvent):
        return texts.EARLIER_ITERATION(
            made=made, opened=context.line_of(opened), incomplete=incomplete
        )
    return texts.OPENED_LATER(made=made, line=context.line, incomplete=incomplete)


other_tape = Cause(
    "other-tape",
    "MT109",
    says=_other_tape,
    card=OnCard(texts.OTHER_CARD, texts.OTHER_EDGE),
    goes_on=True,
)


class _Again(NamedTuple):
    """Two calls in one iteration that opened a tape with the same `with` statement, each as it is quoted in a sentence."""

    before: str
    after: str


def _opened_again(context: FindingContext[OnOtherTape]) -> _Again | None:
    """Return the two calls that opened a tape with the same `with` statement."""
    if context.facts.again is None:
        return None
    sites = [context.flow.sites[each] for each in context.facts.again]
    before, after = (
        shared.WITH_LINE(value=code(site.expression or site.code), line=site.at.line)
        for site in sites
    )
    return _Again(before, after)


def _tape_reset(context: FindingContext[Facts]) -> Words:
    return texts.RESET(
        reset=code(f"{context.tape_name}.reset()"),
        line=context.line,
        earlier=context.line_of(context.flow.placed(context.found.also[0])),
    )


tape_reset = Cause(
    "tape-reset",
    "MT105",
    says=_tape_reset,
    card=OnCard(texts.RESET_CARD, texts.RESET_EDGE),
    is_slip=True,
)


def _stop_recording(context: FindingContext[WhilePaused]) -> Words:
    line = context.line_of(context.flow.placed(context.facts.op))
    return texts.STOPPED(op_line=line, line=context.line, incomplete=context.share)


stop_recording = Cause(
    "stop-recording",
    "MT106",
    says=_stop_recording,
    card=OnCard(texts.PAUSED_CARD, texts.NOT_RECORDED_EDGE),
    is_slip=True,
)


def _second_order_not_recorded(context: FindingContext[Facts]) -> Words:
    return texts.SECOND_ORDER(
        call=context.the_expr, line=context.line, tape=context.tape, fix=_where_it_records(context)
    )


def _where_it_records(context: FindingContext[Facts]) -> str:
    """Return the advice on what to move so that the outer tape records an inner gradient: a call, the inner block, or only the
    gradient call.
    """
    opened = context.tape_event
    outer = context.line_of(opened)
    if context.place_line != context.line:
        return texts.MOVE_CALL(line=context.place_line, outer=outer, inner=context.line)
    requested = context.event.tapes if isinstance(context.event, events.GradientEvent) else ()
    inner = [first for tape in requested for first in context.flow.tapes[tape].entered]
    if opened is not None and inner and context.event.i < opened.i:
        first = context.line_of(context.flow.placed(inner[0]))
        return texts.MOVE_INNER_BLOCK(first=first, last=context.line, outer=outer)
    return texts.INDENT(line=context.line)


second_order_not_recorded = Cause(
    "second-order-not-recorded",
    "MT109",
    says=_second_order_not_recorded,
    card=OnCard(texts.SECOND_ORDER_CARD, texts.NOT_RECORDED_EDGE),
    goes_on=True,
)


@dataclass(frozen=True, kw_only=True)
class Linear(Facts):
    """A second derivative of a linear function.

    Attributes:
        value: The value that is linear in the source.
    """

    value: int


def _second_order_linear(context: FindingContext[Linear]) -> Words:
    sources = sources_in(context.call_text) or context.source
    call = (
        f'{context.tape_name}.gradient({context.target}, {sources}, unconnected_gradients="zero")'
    )
    return texts.LINEAR(
        value=context.called(context.facts.value),
        source=context.the_source,
        line=context.line,
        call=code(call),
    )


second_order_linear = Cause(
    "second-order-linear",
    "MT304",
    says=_second_order_linear,
    zeros_meant=True,
    by_hand=texts.LINEAR_BY_HAND,
)
