"""Causes in the life of a tape: what ran outside it, on another one, or was forgotten."""

import re
from typing import Any, NamedTuple

from minitape.explain.causes.cause import Cause, OnCard, Scene
from minitape.explain.causes.rewriting import with_target
from minitape.explain.causes.texts import Words
from minitape.explain.causes.wording import kept
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.program.text import sources_in
from minitape.trace import events

_NOT_RECORDED = "computed, but not recorded"


def _computed_before(scene: Scene[Any]) -> Words:
    if "keeper" in scene.facts:
        return kept.told(scene, "to the tape it is just a number")
    result = scene.result
    return Words(
        "computed before the tape began to record",
        f"{result} is computed in line {scene.place_line}, before {scene.tape} opened. "
        f"To the tape its value is just a number.{scene.share}",
        _compute_inside(scene, result),
    )


computed_before_tape = Cause(
    "computed-before-tape",
    "MT107",
    says=_computed_before,
    card=OnCard("before the tape", _NOT_RECORDED),
    goes_on=True,
    is_slip=True,
)


def _made_again(scene: Scene[Any]) -> str:
    """The statement to point at, once more inside the tape that was asked."""
    site = scene.place_site
    within = f"in the with block of line {scene.line_of(scene.tape_event)}"
    if site is None or _name_given(scene) is None:
        return f"compute {scene.result} anew {within}, as line {scene.place_line} does"
    code = " ".join(site.code.split())
    return f"{code} once more, as the first line {within}; line {scene.place_line} stays for the other use"


def _name_given(scene: Scene[Any]) -> str | None:
    """The name that the statement to point at gives its value."""
    code = "" if scene.place_site is None else scene.place_site.code
    given = re.match(r"([\w., ]+) = ", code)
    return given[1] if given else None


def _is_used_before(scene: Scene[Any]) -> bool:
    """Whether what the statement computes is also used for something else before the tape opens: then it cannot simply move."""
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


def _compute_inside(scene: Scene[Any], result: str) -> str:
    """Only a plain statement can move as it stands."""
    site = scene.place_site
    code = "" if site is None else site.code
    if _is_used_before(scene):
        return _made_again(scene)
    if code.startswith(("def ", "lambda")):
        return (
            f"compute {result} inside the function: a default value is computed once, when def runs"
        )
    if site is not None and site.function.endswith(("__init__", "build")):
        return (
            f"compute {result} where it is used, while the tape records, and not in {site.function}"
        )
    if re.match(r"(for|while|if|elif|return|with|class)\b", code):
        return f"compute {result} inside the with block"
    return f"move line {scene.place_line} into the with block"


def _computed_after(scene: Scene[Any]) -> Words:
    result = scene.result
    line = scene.place_line
    fix = f"move line {line} into the with block"
    if line == scene.line_of(scene.call.event):
        target = scene.target
        if not target.isidentifier() and target in scene.code_of(scene.call.event):
            result = target  # as it stands in the call: what is around the call is not meant
        name = target if target.isidentifier() and target != result else "value"
        fix = f"inside the with block: {name} = {result}; then {with_target(scene.call_text, name)}"
    return Words(
        "computed after the tape had closed",
        f"{result} is computed in line {line}, when {scene.tape} had already closed.",
        fix,
    )


computed_after_tape = Cause(
    "computed-after-tape",
    "MT108",
    says=_computed_after,
    card=OnCard("after the tape", _NOT_RECORDED),
    goes_on=True,
    is_slip=True,
)


def _other_tape(scene: Scene[Any]) -> Words:
    if "keeper" in scene.facts:
        return kept.told(scene, "this tape never saw how it was made")
    op = scene.flow.op(scene.facts["op"])
    made = f"{scene.result_of(op)} (line {scene.line_of(op)})"
    whole = "do the whole computation in one with block"
    opened = scene.tape_event
    if isinstance(scene.event, events.Gradient):
        return Words(
            "another tape recorded this, not the one asked here",
            f"{made} was recorded by another tape; {scene.tape}, which is asked here, had already closed.",
            f"ask the tape that recorded it, or {whole}",
        )
    if opened is not None and op.i > opened.i:
        return Words(
            "only another tape records here: the one you ask has closed",
            f"{made} is computed when {scene.tape}, the one you ask, had already closed. "
            f"Only another tape recorded it.{scene.share}",
            f"ask a tape that records from the first line to the last: {whole}",
        )
    if scene.facts.get("anew"):
        return Words(
            "made on another tape, which needs it too: here it is only a number",
            f"{_name_given(scene) or scene.result} (line {scene.place_line}) was made for another tape. The one you ask opened "
            f"later, in line {scene.line_of(opened)}, and knows only its value.{scene.share}",
            _made_again(scene),
        )
    again = _opened_again(scene)
    if again is not None:
        return Words(
            "this puts another tape in place of the one that recorded",
            f"{made} was recorded by the tape of {again.before}. Then {again.after} opened another one in line "
            f"{scene.line_of(opened)}, and {scene.tape_name} is that one now: it never saw what came before.{scene.share}",
            f"ask for the gradient right after {again.before}, before {again.after}; or give each its own tape, and keep both",
        )
    if isinstance(scene.event, events.Op):
        return Words(
            "recorded in an earlier turn: the tape of this turn never saw it",
            f"{made} was recorded by the tape of an earlier turn. Each turn opens a new tape, in line {scene.line_of(opened)}, "
            f"which knows only the value.{scene.share}",
            f"compute it anew in each turn, inside the with block, or {whole} around the loop",
        )
    return Words(
        "this tape starts empty: it never saw the earlier lines",
        f"{made} was recorded by another tape. "
        f"The one you ask opened later, in line {scene.line}, and knows only its value.{scene.share}",
        whole,
    )


other_tape = Cause(
    "other-tape",
    "MT109",
    says=_other_tape,
    card=OnCard("on another tape", "recorded there, not here"),
    goes_on=True,
)


class _Again(NamedTuple):
    """Two calls in one turn that led to the same `with`, each in words."""

    before: str
    after: str


def _opened_again(scene: Scene[Any]) -> _Again | None:
    """The two calls that led to the same `with`, as they are written."""
    calls = scene.facts["again"]
    if calls is None:
        return None
    sites = [scene.flow.sites[each] for each in calls]
    return _Again(*(f"{site.expression or site.code} (line {site.at.line})" for site in sites))


def _tape_reset(scene: Scene[Any]) -> Words:
    return Words(
        "everything recorded before is forgotten here",
        f"{scene.tape_name}.reset() in line {scene.line} erased what the tape had recorded and watched, "
        f"line {scene.line_of(scene.flow.placed(scene.found.also[0]))} included.",
        "reset first and compute afterwards (and watch again); or take the reset out",
    )


tape_reset = Cause(
    "tape-reset",
    "MT105",
    says=_tape_reset,
    card=OnCard("forgotten", "the tape was reset"),
    is_slip=True,
)


def _stop_recording(scene: Scene[Any]) -> Words:
    op = scene.flow.placed(scene.facts["op"])
    return Words(
        "nothing is recorded inside this block",
        f"line {scene.line_of(op)} runs inside stop_recording (line {scene.line}), "
        f"where the tape records nothing.{scene.share}",
        f"move line {scene.line_of(op)} out of the stop_recording block",
    )


stop_recording = Cause(
    "stop-recording",
    "MT106",
    says=_stop_recording,
    card=OnCard("recording stopped", _NOT_RECORDED),
    is_slip=True,
)


def _second_order_not_recorded(scene: Scene[Any]) -> Words:
    return Words(
        "this gradient is computed where the outer tape does not record",
        f"{scene.expr} runs in line {scene.line}, while {scene.tape} is not recording. "
        "So the outer tape never saw how that gradient was made.",
        _where_it_records(scene),
    )


def _where_it_records(scene: Scene[Any]) -> str:
    """What has to move so that the outer tape sees an inner gradient: a call, the inner block, or the gradient call alone."""
    opened = scene.tape_event
    outer = scene.line_of(opened)
    if scene.place_line != scene.line:
        return f"move line {scene.place_line} into the with block of line {outer}: there its line {scene.line} is recorded"
    asked = scene.event.tapes if isinstance(scene.event, events.Gradient) else ()
    inner = [first for tape in asked for first in scene.flow.tapes[tape].entered]
    if opened is not None and inner and scene.event.i < opened.i:
        first = scene.line_of(scene.flow.placed(inner[0]))
        return f"move lines {first} to {scene.line} to the top of the with block of line {outer}: the inner tape belongs inside"
    return f"indent line {scene.line}: the inner gradient call belongs inside the outer with"


second_order_not_recorded = Cause(
    "second-order-not-recorded",
    "MT109",
    says=_second_order_not_recorded,
    card=OnCard("not on the tape", _NOT_RECORDED),
    goes_on=True,
)


def _second_order_linear(scene: Scene[Any]) -> Words:
    value = scene.name_of(scene.facts["value"])
    zeros = f"{scene.target}, {sources_in(scene.call_text) or scene.source}"
    return Words(
        f"{value} is linear in {scene.source}: its slope is a constant",
        f"the first derivative of {value} (line {scene.line}) does not depend on {scene.source}, "
        "so the second is zero, and a tape answers None to that.",
        f'for zeros: {scene.tape_name}.gradient({zeros}, unconnected_gradients="zero"); '
        f"if {value} should not be linear, look at line {scene.line}",
    )


second_order_linear = Cause(
    "second-order-linear",
    "MT304",
    says=_second_order_linear,
    zeros_meant=True,
    by_hand="nothing is lost: the second derivative of something linear is zero",
)
