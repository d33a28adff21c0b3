"""Causes in the life of a tape: what ran outside it, what another tape recorded, and what it discarded."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from minitape.explain.causes.cause import Cause, Facts, OnCard, Scene
from minitape.explain.causes.rewriting import with_target
from minitape.explain.causes.texts import Words, code, shared
from minitape.explain.causes.texts import tapes as texts
from minitape.explain.causes.wording import kept
from minitape.explain.causes.wording.kept import Kept
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.program.text import sources_in
from minitape.trace import events


@dataclass(frozen=True, kw_only=True)
class OffTape(Facts):
    """A value was computed where the tape does not record.

    Attributes:
        kept: What keeps the value from before the tape opened, where a cache or a store does.
    """

    kept: Kept | None = None


@dataclass(frozen=True, kw_only=True)
class OnOtherTape(OffTape):
    """A value was computed on another tape.

    Attributes:
        op: The event of the op that computed it.
        again: The sites of two calls that opened a tape by the same `with`, where there are such calls.
        for_other: The other tape needs the value as well.
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


def _computed_before(scene: Scene[OffTape]) -> Words:
    if scene.facts.kept is not None:
        return kept.told(scene, scene.facts.kept)
    return texts.COMPUTED_BEFORE(
        result=scene.the_result,
        line=scene.place_line,
        tape=scene.tape,
        incomplete=scene.share,
        fix=_compute_inside(scene),
    )


computed_before_tape = Cause(
    "computed-before-tape",
    "MT107",
    says=_computed_before,
    card=OnCard(texts.BEFORE_CARD, texts.NOT_RECORDED_EDGE),
    goes_on=True,
    is_slip=True,
)


def _made_again(scene: Scene[OffTape]) -> str:
    """The advice to compute the same once more, inside the tape of the gradient call."""
    site, opened = scene.place_site, scene.line_of(scene.tape_event)
    if site is None or _name_given(scene) is None:
        return texts.COMPUTE_AGAIN(result=scene.the_result, opened=opened, line=scene.place_line)
    statement = code(" ".join(site.code.split()))
    return texts.WRITE_AGAIN(statement=statement, opened=opened, line=scene.place_line)


def _name_given(scene: Scene[OffTape]) -> str | None:
    """The name that the statement to point at gives its value."""
    code = "" if scene.place_site is None else scene.place_site.code
    given = re.match(r"([\w., ]+) = ", code)
    return given[1] if given else None


def _is_used_before(scene: Scene[OffTape]) -> bool:
    """Whether something else uses the value before the tape opens: then the statement cannot simply move."""
    flow, opened, name = scene.flow, scene.tape_event, scene.result
    past = flow.once(Flow.own_past, scene.call)
    if opened is None or not name.isidentifier():
        return False
    values = [
        output.id
        for op in flow.ops.values()
        if op.i < opened.i and flow.name(op.outputs[0].id) == name
        for output in op.outputs
        if scene.place_line in [flow.sites[each].at.line for each in op.stack]
    ]
    uses = (flow.event(edge.event) for each in values for edge in flow.out_of.get(each, ()))
    return any(
        isinstance(use, events.Op)
        and use.i < opened.i
        and use.number not in flow.call_of_op
        and past.isdisjoint(output.id for output in use.outputs)
        and scene.place_line not in [flow.sites[each].at.line for each in use.stack]
        for use in uses
    )


def _compute_inside(scene: Scene[OffTape]) -> str:
    """Only a plain statement can move as it is."""
    site, result = scene.place_site, scene.the_result
    line = "" if site is None else site.code
    if _is_used_before(scene):
        return _made_again(scene)
    if line.startswith(("def ", "lambda")):
        return texts.COMPUTE_IN_FUNCTION(result=result)
    if site is not None and site.function.endswith(("__init__", "build")):
        return texts.COMPUTE_WHERE_USED(result=result, function=code(site.function))
    if re.match(r"(for|while|if|elif|return|with|class)\b", line):
        return texts.COMPUTE_IN_BLOCK(result=result)
    return texts.MOVE_INTO_BLOCK(line=scene.place_line)


def _computed_after(scene: Scene[Facts]) -> Words:
    result, line = scene.result, scene.place_line
    fix = texts.MOVE_INTO_BLOCK(line=line)
    if line == scene.line_of(scene.call.event):
        target = scene.target
        if not target.isidentifier() and target in scene.code_of(scene.call.event):
            result = target  # as the call writes it: what is around the call is not meant
        name = target if target.isidentifier() and target != result else "value"
        fix = texts.COMPUTE_THEN_CALL(
            statement=code(f"{name} = {result}"), call=code(with_target(scene.call_text, name))
        )
    return texts.COMPUTED_AFTER(result=code(result), line=line, tape=scene.tape, fix=fix)


computed_after_tape = Cause(
    "computed-after-tape",
    "MT108",
    says=_computed_after,
    card=OnCard(texts.AFTER_CARD, texts.NOT_RECORDED_EDGE),
    goes_on=True,
    is_slip=True,
)


def _other_tape(scene: Scene[OnOtherTape]) -> Words:
    if scene.facts.kept is not None:
        return kept.told(scene, scene.facts.kept)
    op, opened, incomplete = scene.flow.op(scene.facts.op), scene.tape_event, scene.share
    made = scene.with_line(code(scene.result_of(op)), op)
    if isinstance(scene.event, events.Gradient):
        return texts.ASKED_WRONG_TAPE(made=made, tape=scene.tape)
    if opened is not None and op.i > opened.i:
        return texts.RECORDED_AFTER(made=made, tape=scene.tape, incomplete=incomplete)
    if scene.facts.for_other:
        return texts.COMPUTED_FOR_OTHER(
            result=code(_name_given(scene) or scene.result),
            line=scene.place_line,
            opened=scene.line_of(opened),
            incomplete=incomplete,
            fix=_made_again(scene),
        )
    again = _opened_again(scene)
    if again is not None:
        return texts.TAPE_REPLACED(
            before=again.before,
            after=again.after,
            made=made,
            opened=scene.line_of(opened),
            tape=code(scene.tape_name),
            incomplete=incomplete,
        )
    if isinstance(scene.event, events.Op):
        return texts.EARLIER_ITERATION(
            made=made, opened=scene.line_of(opened), incomplete=incomplete
        )
    return texts.OPENED_LATER(made=made, line=scene.line, incomplete=incomplete)


other_tape = Cause(
    "other-tape",
    "MT109",
    says=_other_tape,
    card=OnCard(texts.OTHER_CARD, texts.OTHER_EDGE),
    goes_on=True,
)


class _Again(NamedTuple):
    """Two calls in one iteration that opened a tape by the same `with`, each as a sentence quotes it."""

    before: str
    after: str


def _opened_again(scene: Scene[OnOtherTape]) -> _Again | None:
    """The two calls that opened a tape by the same `with`."""
    if scene.facts.again is None:
        return None
    sites = [scene.flow.sites[each] for each in scene.facts.again]
    before, after = (
        shared.WITH_LINE(value=code(site.expression or site.code), line=site.at.line)
        for site in sites
    )
    return _Again(before, after)


def _tape_reset(scene: Scene[Facts]) -> Words:
    return texts.RESET(
        reset=code(f"{scene.tape_name}.reset()"),
        line=scene.line,
        earlier=scene.line_of(scene.flow.placed(scene.found.also[0])),
    )


tape_reset = Cause(
    "tape-reset",
    "MT105",
    says=_tape_reset,
    card=OnCard(texts.RESET_CARD, texts.RESET_EDGE),
    is_slip=True,
)


def _stop_recording(scene: Scene[WhilePaused]) -> Words:
    line = scene.line_of(scene.flow.placed(scene.facts.op))
    return texts.STOPPED(op_line=line, line=scene.line, incomplete=scene.share)


stop_recording = Cause(
    "stop-recording",
    "MT106",
    says=_stop_recording,
    card=OnCard(texts.PAUSED_CARD, texts.NOT_RECORDED_EDGE),
    is_slip=True,
)


def _second_order_not_recorded(scene: Scene[Facts]) -> Words:
    return texts.SECOND_ORDER(
        call=scene.the_expr, line=scene.line, tape=scene.tape, fix=_where_it_records(scene)
    )


def _where_it_records(scene: Scene[Facts]) -> str:
    """What has to move so that the outer tape records an inner gradient: a call, the inner block, or the gradient call alone."""
    opened = scene.tape_event
    outer = scene.line_of(opened)
    if scene.place_line != scene.line:
        return texts.MOVE_CALL(line=scene.place_line, outer=outer, inner=scene.line)
    asked = scene.event.tapes if isinstance(scene.event, events.Gradient) else ()
    inner = [first for tape in asked for first in scene.flow.tapes[tape].entered]
    if opened is not None and inner and scene.event.i < opened.i:
        first = scene.line_of(scene.flow.placed(inner[0]))
        return texts.MOVE_INNER_BLOCK(first=first, last=scene.line, outer=outer)
    return texts.INDENT(line=scene.line)


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


def _second_order_linear(scene: Scene[Linear]) -> Words:
    sources = sources_in(scene.call_text) or scene.source
    call = f'{scene.tape_name}.gradient({scene.target}, {sources}, unconnected_gradients="zero")'
    return texts.LINEAR(
        value=scene.called(scene.facts.value),
        source=scene.the_source,
        line=scene.line,
        call=code(call),
    )


second_order_linear = Cause(
    "second-order-linear",
    "MT304",
    says=_second_order_linear,
    zeros_meant=True,
    by_hand=texts.LINEAR_BY_HAND,
)
