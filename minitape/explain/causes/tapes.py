"""Causes that concern a tape as a whole: what ran outside it, what another tape recorded, and what it discarded."""

import ast
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from minitape.explain.causes.cause import Cause, Facts, FindingContext, OnCard
from minitape.explain.causes.rewriting import parsed, with_target
from minitape.explain.causes.texts import DiagnosticText, code, joined, shared
from minitape.explain.causes.texts import tapes as texts
from minitape.explain.causes.wording import cached, usual
from minitape.explain.causes.wording.cached import CachedValue
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.moving import (
    is_in_same_function,
    lines_after,
    lines_to_move,
    loop_around_block,
)
from minitape.explain.flow.program.scopes import is_known_at
from minitape.explain.flow.program.text import sources_in
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.explain.report import Evidence
from minitape.source_text import lines_of, walk
from minitape.trace import events


@dataclass(frozen=True, kw_only=True)
class OffTape(Facts):
    """A value was computed where the tape does not record.

    Attributes:
        kept: The cache or store that keeps the value from before the tape opened, if there is one.
    """

    kept: CachedValue | None = None


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


def _computed_before(context: FindingContext[OffTape]) -> DiagnosticText:
    if context.facts.kept is not None:
        return cached.reported(context, context.facts.kept)
    return texts.COMPUTED_BEFORE(
        result=context.the_result,
        line=context.place_line,
        tape=context.tape,
        incomplete=context.incomplete,
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
    if site is None or _name_given(context) is None or not _is_known_in_block(context):
        return texts.COMPUTE_AGAIN(
            result=context.the_result, opened=opened, line=context.place_line
        )
    statement = code(" ".join(site.code.split()))
    return texts.WRITE_AGAIN(statement=statement, opened=opened, line=context.place_line)


def _is_known_in_block(context: FindingContext[OffTape]) -> bool:
    """Whether the statement to point at has all its names where the tape opens, which may be in another function."""
    site, opened = context.place_site, context.tape_event
    block = None if opened is None else opened.at
    value = "" if site is None else site.code.partition(" = ")[2]
    program = "" if block is None else context.flow.texts.get(block.file, "")
    if block is None or parsed(value) is None or not program:
        return True
    return is_known_at(program, block.line, value)


def _name_given(context: FindingContext[OffTape]) -> str | None:
    """Return the name that the statement to point at gives its value."""
    code = "" if context.place_site is None else context.place_site.code
    given = re.match(r"([\w., ]+) = ", code)
    return given[1] if given else None


def _is_used_before(context: FindingContext[OffTape]) -> bool:
    """Whether something else uses the value before the tape opens, so that moving the statement alone is not enough."""
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
    lines = _lines_to_move(context)
    if len(lines) > 1:
        return texts.MOVE_LINES_INTO_BLOCK(lines=joined(lines))
    return _move_or_compute(context, context.result)


def _move_or_compute(context: FindingContext[Any], result: str) -> str:
    """Return the advice to move the line to point at into the block; to compute the value there if the block is elsewhere."""
    opened = _opened(context)
    elsewhere = _compute_in_other_file(context) if opened is None else None
    if elsewhere is not None:
        return elsewhere
    if opened is None or is_in_same_function(*opened):
        return texts.MOVE_INTO_BLOCK(line=context.place_line)
    program, _, line = opened
    result = _name_given(context) or result
    if re.search(r"^\s*with\b", (lines_of(program)[line - 1 : line] or [""])[0]):
        return texts.COMPUTE_IN_BLOCK_OF_LINE(result=code(result), opened=line)
    return texts.COMPUTE_IN_CALLED_FUNCTION(result=code(result), line=line)


def _compute_in_other_file(context: FindingContext[Any]) -> str | None:
    """Return the advice to compute a value again in the `with` block of another file; None if the block is in the same file.

    A line cannot be moved there, because its names are those of another function.
    """
    flow, tape = context.flow, context.tape_event
    block = None if tape is None else flow.innermost(tape)
    if context.place is None or tape is None or block is None:
        return None
    crossing = _first_use(context, tape)
    if block.at.file == context.place.file or crossing is None:
        return None
    made, use = crossing
    return texts.COMPUTE_IN_OTHER_FILE(
        result=code(context.expr_of(made)),
        made=context.line_of(made),
        function=code(block.function),
        opened=context.line_of(tape),
        used=context.line_of(use),
        method=_other_method(context, made),
    )


def _first_use(
    context: FindingContext[Any], tape: events.Placed
) -> tuple[events.OpEvent, events.OpEvent] | None:
    """Return the op that computed a value from the source before the tape opened, and the first op of the block that uses it."""
    flow, past = context.flow, context.flow.once(FlowGraph.own_past, context.call)
    computed = flow.downstream([context.value], tape.i)
    for op in flow.ops.values():
        if tape.i < op.i < context.call.event.i and not past.isdisjoint(o.id for o in op.outputs):
            for each in op.inputs:
                made = flow.op_behind(each.value) if each.value in computed else None
                if made is not None and made.i < tape.i:
                    return made, op
    return None


def _other_method(context: FindingContext[Any], made: events.OpEvent) -> str:
    """Return the words on another method that calls the same layer; empty if there is none."""
    site, first = context.flow.innermost(made), context.flow.innermost(context.event)
    if site is None or first is None or first.at.file != site.at.file:
        return ""
    layer = re.match(r"self\.\w+(?=\()", first.expression)
    owner, _, own = site.function.rpartition(".")
    for node in walk(tree_or_empty(context.flow.texts.get(site.at.file, ""))):
        if layer is None or not isinstance(node, ast.ClassDef) or node.name != owner:
            continue
        for each in node.body:
            if isinstance(each, ast.FunctionDef) and each.name not in (own, "__init__"):
                calls = (
                    ast.unparse(call.func) for call in walk(each) if isinstance(call, ast.Call)
                )
                if layer[0] in calls:
                    given = ", ".join(arg.arg for arg in each.args.args if arg.arg != "self")
                    line = shared.LINE_OF_FILE(line=each.lineno, file=site.at.file)
                    return texts.WITH_METHOD(
                        method=f"{each.name}({given})",
                        owner=code(owner),
                        line=line,
                        layer=code(layer[0]),
                    )
    return ""


def _opened(context: FindingContext[Any]) -> tuple[str, int, int] | None:
    """Return the text of the file, the line to point at, and the line that opens the tape; None if they are in two files."""
    place, tape = context.place, context.tape_event
    opened = None if tape is None else tape.at
    if place is None or opened is None or opened.file != place.file:
        return None
    return context.flow.texts.get(place.file, ""), place.line, opened.line


def _lines_to_move(context: FindingContext[OffTape]) -> list[int]:
    """Return the line to point at, and those up to the block that read what it computes."""
    opened = _opened(context)
    return [] if opened is None else lines_to_move(opened[0], [opened[1]], opened[2])


def _computed_after(context: FindingContext[Facts]) -> DiagnosticText:
    result, line = context.result, context.place_line
    fix = _move_from_after(context)
    if line == context.line_of(context.call.event):
        target = context.target
        if not target.isidentifier() and target in context.code_of(context.call.event):
            result = target  # as the call contains it, without the code around the call
        name = target if target.isidentifier() and target != result else "value"
        fix = texts.COMPUTE_THEN_CALL(
            statement=code(f"{name} = {result}"), call=code(with_target(context.call_text, name))
        )
    return texts.COMPUTED_AFTER(result=code(result), line=line, tape=context.tape, fix=fix)


def _move_from_after(context: FindingContext[Facts]) -> str:
    """Return the advice to move the lines after the block, up to the line to point at, into the block."""
    opened = _opened(context)
    loop = None if opened is None else loop_around_block(*opened)
    if loop is not None:
        return texts.OPEN_BEFORE_LOOP(loop=loop, tape=code(context.tape_name))
    lines: list[int] = []
    if opened is not None:
        program, line, block = opened
        last = max(line, _line_of_target(context) or line)
        lines = lines_after(program, last, block) or lines_after(program, line, block)
    if len(lines) == 2:
        return texts.MOVE_LINES_INTO_BLOCK(lines=joined(lines))
    if len(lines) > 2:
        return texts.MOVE_RANGE_INTO_BLOCK(first=lines[0], last=lines[-1])
    return _move_or_compute(context, context.result)


def _line_of_target(context: FindingContext[Facts]) -> int | None:
    """Return the line that computes the target, if the gradient call itself does not."""
    targets, requested = context.call.event.targets, context.call.event.at
    made = context.flow.op_behind(targets[0]) if targets else None
    at = None if made is None else made.at
    if at is None or requested is None or context.place is None or at.file != context.place.file:
        return None
    return at.line if at.line < requested.line else None


computed_after_tape = Cause(
    "computed-after-tape",
    "MT108",
    says=_computed_after,
    card=OnCard(texts.AFTER_CARD, texts.NOT_RECORDED_EDGE),
    goes_on=True,
    is_slip=True,
)


def _other_tape(context: FindingContext[OnOtherTape]) -> DiagnosticText:
    if context.facts.kept is not None:
        return cached.reported(context, context.facts.kept)
    op, opened, incomplete = (
        context.flow.op(context.facts.op),
        context.tape_event,
        context.incomplete,
    )
    made = context.with_line(code(context.result_of(op)), op)
    if isinstance(context.event, events.GradientEvent):
        return texts.REQUESTED_WRONG_TAPE(
            made=made, tape=context.tape, advice=_recorder(context, op)
        )
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


def _recorder(context: FindingContext[OnOtherTape], op: events.OpEvent) -> str:
    """Return the gradient call on the tape that recorded an op."""
    entered = context.flow.tapes[op.recorded[-1]].entered if op.recorded else []
    opened = context.flow.event(entered[0]) if entered else None
    name = opened.name if isinstance(opened, events.TapeEnterEvent) else None
    call = context.call_text
    is_plain = name is not None and re.fullmatch(r"(self\.)?\w+", name) is not None
    if not is_plain or not call.startswith(f"{context.tape_name}.") or name == context.tape_name:
        return texts.ONE_BLOCK
    return texts.USE_RECORDER(call=code(f"{name}.{call.partition('.')[2]}"))


other_tape = Cause(
    "other-tape",
    "MT109",
    says=_other_tape,
    card=OnCard(texts.OTHER_CARD, texts.OTHER_EDGE),
    goes_on=True,
)


class _Again(NamedTuple):
    """The texts with which a message quotes two calls that, in one iteration, opened a tape with the same `with` statement."""

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


def _tape_reset(context: FindingContext[Facts]) -> DiagnosticText:
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


def _stop_recording(context: FindingContext[WhilePaused]) -> DiagnosticText:
    line = context.line_of(context.flow.placed(context.facts.op))
    return texts.STOPPED(op_line=line, line=context.line, incomplete=context.incomplete)


stop_recording = Cause(
    "stop-recording",
    "MT106",
    says=_stop_recording,
    card=OnCard(texts.PAUSED_CARD, texts.NOT_RECORDED_EDGE),
    is_slip=True,
)


def _second_order_not_recorded(context: FindingContext[Facts]) -> DiagnosticText:
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
    usual=usual.nested_tapes,
)


@dataclass(frozen=True, kw_only=True)
class Linear(Facts):
    """A second derivative of a linear function.

    Attributes:
        value: The value that is linear in the source.
    """

    value: int


def _second_order_linear(context: FindingContext[Linear]) -> DiagnosticText:
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


# --- a compiled function: `verify/compiled.py` finds it by running the program once more, as it is ---


@dataclass(frozen=True, kw_only=True)
class DiffersCompiled(Facts):
    """A gradient that is None in one of the two runs only.

    Attributes:
        is_none_compiled: Whether it is None in the compiled program, and not in the traced run.
    """

    is_none_compiled: bool


def _differs(context: FindingContext[DiffersCompiled]) -> DiagnosticText:
    is_none = context.facts.is_none_compiled
    entry = texts.NONE_COMPILED if is_none else texts.NONE_TRACED
    return entry(source=context.the_source, target=context.the_target, line=context.place_line)


differs_compiled = Cause(
    "differs-compiled",
    "MT209",
    says=_differs,
    evidence=Evidence.COMPILED,
    by_hand=texts.COMPILED_BY_HAND,
)
