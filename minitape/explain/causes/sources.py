"""Causes at the source: the tape does not watch it, cannot watch it, or the target was computed from another object."""

import ast
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from minitape.explain.causes.cause import USED, Cause, Facts, FindingContext, OnCard
from minitape.explain.causes.rewriting import (
    assigned,
    is_place,
    operands,
    parsed,
    with_floats,
    with_points,
    with_source,
)
from minitape.explain.causes.texts import DiagnosticText, code
from minitape.explain.causes.texts import sources as texts
from minitape.explain.causes.wording import usual
from minitape.explain.causes.wording.copies import done_to_gradient
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.leaving import is_shown
from minitape.explain.flow.program.text import sources_in
from minitape.explain.report import Confidence
from minitape.trace import events

_UNWATCHED = OnCard(texts.UNWATCHED_CARD, texts.UNWATCHED_EDGE)


@dataclass(frozen=True, kw_only=True)
class NotWatched(Facts):
    """A tensor that the tape does not watch.

    Attributes:
        since: The event that replaced a variable with this tensor, if there is one.
        instead: Whether the tape watches another tensor, whose gradient is not requested.
        again: Whether that tensor was passed to `watch` before.
    """

    since: int | None = None
    instead: bool = False
    again: bool = False


def _add_watch(context: FindingContext[Any], watch: str) -> str:
    """Return the advice to watch the source at the top of the block; or after its line, if that is in the block."""
    born = context.flow.born.get(context.value)
    opened = context.tape_event
    made = context.line_of(born) if isinstance(born, events.Placed) else None
    if opened is None or born is None or made is None or not is_place(context.source):
        return texts.ADD_WATCH(watch=watch)
    if born.i < opened.i:
        return texts.ADD_WATCH(watch=watch)
    return texts.ADD_WATCH_AFTER(watch=watch, line=made)


def _not_watched(context: FindingContext[NotWatched]) -> DiagnosticText:
    x, source = context.source, context.the_source
    watch = code(_watch(context))
    if context.facts.since is not None:
        step = context.flow.placed(context.facts.since)
        return texts.NO_LONGER_VARIABLE(
            source=source,
            since=context.line_of(step),
            statement=code(context.code_of(step)),
            watch=watch,
            line=context.line,
        )
    if context.facts.instead:
        return _another_is_watched(context)
    made = context.whole_expr.removeprefix("tf.constant(")
    whole = re.fullmatch(r"([\w.]+)\[\d+\]", context.typed or "")
    fix = _add_watch(context, watch)
    parameter = _as_parameter(context)
    if parameter is not None:
        fix = texts.PARAMETER(statement=code(parameter), line=context.line)
    elif (
        whole
        and "[" not in context.whole_expr
        and f"{whole[1]} = [" in context.code_of(context.event)
    ):
        # The source was created on one line with the other elements of its list, so one `watch` is enough for all of them.
        fix = texts.ADD_WATCH(watch=code(f"{context.tape_name}.watch({whole[1]})"))
    elif (
        is_place(x)
        and isinstance(context.event, events.ConstantEvent)
        and made != context.whole_expr
    ):
        statement = code(f"{x} = tf.Variable({made}")
        if fix == texts.ADD_WATCH(watch=watch):
            fix = texts.ADD_WATCH_OR_VARIABLE(watch=watch, source=source, statement=statement)
    return texts.NOT_WATCHED(
        source=source,
        made=context.with_line(source, context.event),
        tape=context.tape,
        target=context.the_target,
        fix=fix,
    )


def _as_parameter(context: FindingContext[NotWatched]) -> str | None:
    """Return the statement that creates a variable from a tensor that should be trained; None if it should not.

    It is a parameter if all other sources of the call are variables that are updated afterwards.
    """
    flow, call = context.flow, context.call.event
    others = [each.value for each in call.sources if each.value != context.value]
    updated = [
        each
        for each in others
        if any(assign.i > call.i for assign in flow.assigns.get(each or 0, ()))
    ]
    if not others or updated != others or not isinstance(context.event, events.ConstantEvent):
        return None
    name, _, made = " ".join(context.code_of(context.event).split()).partition(" = ")
    value = parsed(made)
    match value:
        case None:
            return None
        case (
            ast.Call(func=ast.Attribute(attr="constant" | "convert_to_tensor"), args=[_]) as created
        ):
            created.func = _VARIABLE
        case _:
            value = ast.Call(_VARIABLE, [value], [])
    return f"{name} = {ast.unparse(value)}" if is_place(name) else None


_VARIABLE = ast.Name("tf.Variable")

not_watched = Cause(
    "not-watched", "MT101", says=_not_watched, card=_UNWATCHED, usual=usual.watched_in_call
)


def _another_is_watched(context: FindingContext[NotWatched]) -> DiagnosticText:
    """Return the words for a tape that watches a tensor whose gradient is not requested."""
    source, made = context.the_source, context.flow.placed(context.found.also[0])
    given = operands(context.whole_expr)[:1]
    return texts.ANOTHER_WATCHED(
        given=code(given[0]) if given and is_place(given[0]) else texts.ANOTHER_TENSOR,
        source=source,
        made=context.with_line(source, made),
        tape=context.tape,
        line=context.line,
        twice=texts.A_SECOND_TIME if context.facts.again else texts.FOR_NOTHING,
        target=context.the_target,
        watch=code(_watch(context)),
    )


def _watch(context: FindingContext[Facts]) -> str:
    """Return the line that watches the source, or all sources of the call if the source has no name there."""
    watched = context.typed or sources_in(context.call_text) or context.source
    return f"{context.tape_name}.watch({watched})"


@dataclass(frozen=True, kw_only=True)
class WatchedTooLate(Facts):
    """A use of a tensor before the call of `watch`.

    Attributes:
        op: The event of the op that used it.
        value: The result of that op, where a target may have been computed from it.
    """

    op: int
    value: int | None = None


def _watched_too_late(context: FindingContext[WatchedTooLate]) -> DiagnosticText:
    entry = texts.TOO_LATE_IN_PART if context.facts.partial else texts.TOO_LATE
    return entry(
        source=context.the_source,
        used=context.line_of(context.flow.op(context.facts.op)),
        call=code(f"{context.tape_name}.watch"),
        line=context.line,
        watch=code(_watch(context)),
    )


watched_too_late = Cause(
    "watched-too-late",
    "MT102",
    says=_watched_too_late,
    card=OnCard(texts.TOO_LATE_CARD, texts.TOO_LATE_EDGE),
    goes_on=True,
)


def _auto_watch_off(context: FindingContext[Facts]) -> DiagnosticText:
    return texts.AUTO_WATCH_OFF(
        tape=context.tape, source=context.the_source, watch=code(_watch(context))
    )


auto_watch_off = Cause("auto-watch-off", "MT104", says=_auto_watch_off, card=_UNWATCHED)


@dataclass(frozen=True, kw_only=True)
class NotTrainable(Facts):
    """A variable that is not trainable.

    Attributes:
        listed: The statement or call that lists it among the sources, for a variable that holds state of a layer.
        false_at: The line that sets the False that is passed as `trainable`, if that is another line.
        passed: The name and value of the argument that passes it on, if the finding points at the call with that argument.
    """

    listed: str | None = None
    false_at: int | None = None
    passed: tuple[str, str] | None = None


def _not_trainable(context: FindingContext[NotTrainable]) -> DiagnosticText:
    source = context.the_source
    made, listed, since = (
        context.with_line(source, context.event),
        context.facts.listed,
        context.facts.false_at,
    )
    if listed is not None:
        shorter = re.sub(r" \+ [\w.]+\.non_trainable_(variables|weights)\b", "", listed)
        better = re.sub(r"\.(variables|weights)\b", r".trainable_\1", shorter)
        fix = (
            texts.ONLY_TRAINABLE if better == listed else texts.ONLY_WEIGHTS(statement=code(better))
        )
        return texts.STATE_OF_LAYER(source=source, made=made, fix=fix)
    return texts.NOT_TRAINABLE(
        source=source,
        made=made,
        since=""
        if since is None and context.facts.passed is None
        else texts.SET_ON_LINE(line=since or context.place_line),
        fix=_made_trainable(context),
    )


def _made_trainable(context: FindingContext[NotTrainable]) -> str:
    """Return the advice for a variable that should learn. A weight of a layer cannot be watched, because `tape.watch` rejects
    it.
    """
    since = context.facts.false_at
    advice = texts.REMOVE_FALSE if since is None else texts.TRUE_INSTEAD(line=since)
    if context.facts.passed is not None:
        name, written = context.facts.passed
        advice = texts.PASS_TRUE(
            true=code(f"{name}=True"), written=code(f"{name}={written}"), line=context.place_line
        )
    if "/" in context.source or not context.typed:
        return advice
    return texts.OR_WATCH(advice=advice, watch=code(_watch(context)))


not_trainable = Cause(
    "not-trainable",
    "MT103",
    says=_not_trainable,
    card=OnCard(texts.NOT_TRAINABLE_CARD, texts.NOT_TRAINABLE_EDGE),
    zeros_meant=True,
    clues=(USED,),
)


@dataclass(frozen=True, kw_only=True)
class OfDtype(Facts):
    """A value of a dtype that has no gradient.

    Attributes:
        is_source: Whether the value is the source itself. Otherwise an op on the path converted a value to that dtype.
        holds_indices: Whether the source holds indices, and the break points at the line that watches it.
    """

    is_source: bool = False
    holds_indices: bool = False


def _cast_to_float(context: FindingContext[OfDtype]) -> str | None:
    """Return the statement that creates the source, with a cast to float: `x = tf.cast(tf.constant(data), tf.float32)`."""
    site = context.place_site
    statement = "" if site is None else " ".join(site.code.split())
    name, _, made = statement.partition(" = ")
    match parsed(made):
        case ast.Call(func=func, args=[values, *_]) as call if is_place(name):
            if ast.unparse(func) == "tf.Variable":
                call.args[0] = ast.Call(_TO_FLOAT, [values, _FLOAT], [])
                return f"{name} = {ast.unparse(call)}"
            if ast.unparse(func) in ("tf.constant", "tf.convert_to_tensor"):
                return f"{name} = tf.cast({ast.unparse(call)}, tf.float32)"
    return None


_TO_FLOAT, _FLOAT = ast.Name("tf.cast"), ast.Name("tf.float32")


def _integer_dtype(context: FindingContext[OfDtype]) -> DiagnosticText:
    if not context.facts.is_source:
        return texts.CONVERTED_TO_INTEGERS(
            call=context.the_expr, line=context.line, fix=_without_the_cast(context)
        )
    source, dtype = context.the_source, context.flow.dtype(context.value)
    made = context.with_line(source, context.event)
    if context.facts.holds_indices:
        found = _looked_up(context)
        value = (
            texts.LOOKED_UP
            if found is None
            else context.with_line(code(context.result_of(found)), found)
        )
        return texts.INDEX_SOURCE(
            source=source, dtype=dtype, made=made, target=context.the_target, found=value
        )
    site = context.place_site
    better = None if site is None else with_points(" ".join(site.expression.split()))
    cast = None if better and "np." not in better else _cast_to_float(context)
    fix = texts.FLOATS_INSTEAD(better=code(better)) if better else texts.USE_FLOATS
    if cast is not None:
        fix = texts.FLOAT_ON_LINE(statement=code(cast), line=context.place_line)
    return texts.INTEGER_SOURCE(source=source, dtype=dtype, made=made, fix=fix)


def _looked_up(context: FindingContext[OfDtype]) -> events.OpEvent | None:
    """Return the first op that uses the indices to look up a differentiable value."""
    flow = context.flow
    after = {each for each in flow.downstream([context.value]) if not flow.is_smooth(each)}
    opened = context.tape_event or context.event
    numbers = sorted({edge.event for value in after for edge in flow.out_of.get(value, ())})
    for each in map(flow.event, numbers):
        if not isinstance(each, events.OpEvent) or each.i < opened.i:
            continue
        if flow.is_smooth(each.outputs[0].id):
            return each
    return None


integer_dtype = Cause(
    "integer-dtype",
    "MT202",
    says=_integer_dtype,
    card=OnCard(texts.STOPPED_CARD, texts.INTEGER_EDGE, is_op=True),
    usual=usual.watched_vectors,
)


_LOOKING_UP = {"GatherNd", "GatherV2", "OneHot", "Range", "ResourceGather", "StridedSlice"}


def _without_the_cast(context: FindingContext[OfDtype]) -> str:
    """Return what to write instead of a cast to integers, which may be needed as indices only."""
    given, cast = operands(context.whole_expr)[:1], context.event
    if not isinstance(cast, events.OpEvent) or cast.name != "Cast" or not given:
        return texts.KEEP_FLOATS
    x, whole = given[0], cast.target_name or context.whole_expr
    written = _from_the_float(context, cast, x, whole)
    if written is not None:
        return texts.FROM_THE_FLOAT(
            line=written.line, statement=code(written.statement), integer=code(whole)
        )
    interpolated = _interpolated(context, cast, x)
    if interpolated is not None:
        return interpolated
    around = _around_encoding(context, cast, x)
    if around is not None:
        return around
    v = x if is_place(x) else "v"
    if are_places(context.flow, [each.id for each in cast.outputs]):
        fraction = code(f"{v} - tf.floor({v})")
        advice = texts.INDEX_ONLY(integer=code(whole), value=code(x), fraction=fraction)
    else:
        estimator = code(f"{v} + tf.stop_gradient(tf.floor({v}) - {v})")
        advice = (
            texts.FLOAT_INSTEAD(
                statement=code(f"{cast.target_name} = {x}"), line=context.line, estimator=estimator
            )
            if cast.target_name
            else texts.FLOAT_EXPRESSION_INSTEAD(
                value=code(x), written=context.the_whole_expr, estimator=estimator
            )
        )
    return advice if v == x else texts.WITH_VALUE(advice=advice, name=code(f"v = {x}"))


def _interpolated(context: FindingContext[OfDtype], cast: events.OpEvent, x: str) -> str | None:
    """Return the advice to interpolate between two elements, where integers made of floats look up one element; else None.

    Only the elements of a vector are looked up here, in the function that makes the integers.
    """
    flow, here = context.flow, context.flow.innermost(cast)
    whole = {
        each
        for each in flow.downstream([each.id for each in cast.outputs])
        if not flow.is_smooth(each)
    }
    for op in flow.ops.values():
        site = flow.innermost(op)
        if op.name not in ("GatherV2", "ResourceGather") or op.i < cast.i or site is None:
            continue
        call = parsed(context.whole_expr_of(op))
        vector = flow.numbers.get(op.inputs[0].value)
        if whole.isdisjoint(each.value for each in op.inputs) or vector is None:
            continue
        match call:
            case ast.Call(args=[values, index], keywords=[]) if len(vector.shape) == 1:
                pass
            case _:
                return None
        if here is None or cast.target_name is None or site.function != here.function:
            return None
        v, i = ast.unparse(values), ast.unparse(index)
        part = f"part = {x} - tf.cast({cast.target_name}, tf.{flow.dtype(cast.inputs[0].value)})"
        whole_dtype = flow.dtype(cast.outputs[0].id)
        shape = f"tf.shape({v})" if whole_dtype == "int32" else f"tf.shape({v}, tf.{whole_dtype})"
        upper = f"tf.gather({v}, tf.minimum({i} + 1, {shape}[0] - 1))"
        return texts.INTERPOLATED(
            part=code(part),
            line=context.line,
            blend=code(f"(1.0 - part) * tf.gather({v}, {i}) + part * {upper}"),
            written=code(ast.unparse(call)),
            lookup=context.line_of(op),
        )
    return None


def _around_encoding(context: FindingContext[OfDtype], cast: events.OpEvent, x: str) -> str | None:
    """Return the advice for integers that are encoded as an image and decoded: the gradient passes around both steps."""
    flow = context.flow
    waiting, names = [each.id for each in cast.outputs], set[str]()
    for value in waiting:
        for edge in flow.out_of.get(value, ()):
            op = flow.event(edge.event)
            if not isinstance(op, events.OpEvent) or edge.end in waiting:
                continue
            if not flow.is_smooth(edge.end):
                names.add(op.name)
                waiting.append(edge.end)
                continue
            site, here = flow.innermost(op), flow.innermost(cast)
            is_encoded = any(name.startswith(("Encode", "Decode")) for name in names)
            if not is_encoded or site is None or here is None or site.function != here.function:
                return None
            statement = " ".join(site.code.split())
            head = next(iter(re.findall(r"^return |^\w+ = ", statement)), "")
            whole = statement.removeprefix(head)
            picture = _only_name(x)
            if not head or picture is None:
                return None
            statement = f"{head}{picture} + tf.stop_gradient({whole} - {picture})"
            return texts.AROUND_ENCODING(statement=code(statement), line=context.line_of(op))
    return None


def _only_name(x: str) -> str | None:
    """Return the only name in an expression: `picture` for `255.0 * picture`."""
    node = None if is_place(x) else parsed(x)
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} if node else {x}
    return names.pop() if len(names - {"tf"}) == 1 and "tf" not in names else None


def are_places(flow: FlowGraph, whole: list[int]) -> bool:
    """Whether these integers are used as indices, or Python counts with them."""
    after = {value for value in flow.downstream(whole) if not flow.is_smooth(value)}
    ops = (flow.event(edge.event) for value in after for edge in flow.out_of.get(value, ()))
    names = {each.name for each in ops if isinstance(each, events.OpEvent)}
    return bool(names & _LOOKING_UP) or any(
        after & set(nodes) and not is_shown(flow, exit) for exit, nodes in flow.exits.values()
    )


class _Statement(NamedTuple):
    """A statement, and its line."""

    line: int | str | None
    statement: str


def _from_the_float(
    context: FindingContext[OfDtype], cast: events.OpEvent, x: str, whole: str
) -> _Statement | None:
    """Return the statement that converts the integers back to floats, computed from `x`; None if it does no arithmetic."""
    flow = context.flow
    waiting, seen = [each.id for each in cast.outputs], set[int]()
    while waiting:
        for edge in flow.out_of.get(waiting.pop(), ()):
            op = flow.event(edge.event)
            if not isinstance(op, events.OpEvent) or edge.end in seen:
                continue
            seen.add(edge.end)
            if not flow.is_smooth(edge.end):
                waiting.append(edge.end)
            elif op.name == "Cast" and op.stack:
                arithmetic = operands(flow.sites[op.stack[-1]].expression)
                better = (
                    with_floats(arithmetic[0], whole, x, arithmetic[1])
                    if len(arithmetic) == 2
                    else None
                )
                if better is not None:
                    name = f"{op.target_name} = " if op.target_name else ""
                    return _Statement(context.line_of(op), f"{name}{better}")
    return None


def _string_dtype(context: FindingContext[OfDtype]) -> DiagnosticText:
    if not context.facts.is_source:
        return texts.CONVERTED_TO_STRINGS(call=context.the_expr, line=context.line)
    x, source = context.source, context.the_source
    return texts.STRING_SOURCE(
        source=source,
        made=context.with_line(source, context.event),
        statement=code(f"{x} = tf.Variable(tf.strings.to_number({x}))"),
    )


string_dtype = Cause(
    "string-dtype",
    "MT202",
    says=_string_dtype,
    card=OnCard(texts.STOPPED_CARD, texts.STRING_EDGE, is_op=True),
    by_hand=texts.STRING_BY_HAND,
)


def _bool_dtype(context: FindingContext[OfDtype]) -> DiagnosticText:
    (x, *_) = operands(context.whole_expr) or ["x"]
    return texts.CONVERTED_TO_BOOLEANS(
        call=context.the_expr,
        line=context.line,
        value=code(x),
        step=code(f"tf.sigmoid(({x} - threshold) / width)"),
    )


bool_dtype = Cause(
    "bool-dtype",
    "MT202",
    says=_bool_dtype,
    card=OnCard(texts.STOPPED_CARD, texts.BOOLEAN_EDGE, is_op=True),
    by_hand=texts.BOOLEAN_BY_HAND,
)


def _variable_replaced(context: FindingContext[Facts]) -> DiagnosticText:
    x, source, line = context.source, context.the_source, context.line
    statement = context.code_of(context.event)
    if isinstance(context.event, events.AssignEvent):
        return texts.ASSIGN_RESULT(
            source=source,
            method=code(context.event.how),
            line=line,
            statement=code(statement),
            call=code(statement.partition("=")[2].strip()),
            prefix=code(f"{x} ="),
        )
    better = assigned(x, statement)
    fix = (
        texts.ASSIGN_ON_LINE(statement=code(better), line=line)
        if better
        else texts.ASSIGN_NEW_VALUE(statement=code(f"{x}.assign(...)"))
    )
    return texts.REPLACED(source=source, line=line, statement=code(statement), fix=fix)


variable_replaced = Cause(
    "variable-replaced",
    "MT301",
    says=_variable_replaced,
    card=OnCard(texts.REPLACED_CARD, texts.REPLACED_EDGE),
    usual=usual.updated_variable,
)


@dataclass(frozen=True, kw_only=True)
class OfCopy(Facts):
    """A copy in place of the tensor that the target was computed from.

    Attributes:
        original: The value that it is a copy of.
        is_watched: Whether the tape watches the copy. Otherwise the copy is the source of the call.
    """

    original: int
    is_watched: bool = False


@dataclass(frozen=True, kw_only=True)
class ComputedAgain(OfCopy):
    """The same values, computed again by a later call of a model, from which the target was computed.

    Attributes:
        made: The event that computed the source.
    """

    made: int


def _other_result(context: FindingContext[OfCopy]) -> str | None:
    """Return the name of another result of the call that made the source, if the target is computed from that one."""
    statement = " ".join(context.code_of(context.event).split())
    given, _, call = statement.partition(" = ")
    names = [each.strip() for each in given.strip("()").split(",")]
    if len(names) < 2 or context.source not in names or not isinstance(parsed(call), ast.Call):
        return None
    targets = context.call.event.targets
    made = context.flow.op_behind(targets[0]) if targets else None
    later = "" if made is None else context.code_of(made)
    used = [each for each in names if re.search(rf"\b{re.escape(each)}\b", later)]
    return used[0] if len(used) == 1 and used[0] != context.source else None


def _source_is_copy(context: FindingContext[OfCopy]) -> DiagnosticText:
    source, target = context.the_source, context.the_target
    if isinstance(context.facts, ComputedAgain):
        made = context.flow.placed(context.facts.made)
        return texts.COMPUTED_AGAIN(
            source=source,
            target=target,
            expr=context.the_expr,
            line=context.line,
            made=context.line_of(made),
            fix=_computed_once(context, made),
        )
    if context.facts.is_watched:
        return texts.COPY_WATCHED(
            source=source,
            call=code(f"{context.tape_name}.watch"),
            line=context.line,
            target=target,
            fix=texts.WRITE_CALL(call=_watch(context)),
        )
    used = _other_result(context)
    if used is not None:
        return texts.OTHER_RESULT(
            source=source,
            target=target,
            line=context.line,
            statement=code(" ".join(context.code_of(context.event).split())),
            used=code(used),
            call=code(with_source(context.call_text, used)),
        )
    return texts.COPY_REQUESTED(
        source=source,
        target=target,
        original=context.called(context.facts.original),
        line=context.line,
        fix=_of_the_original(context),
    )


def _of_the_original(context: FindingContext[OfCopy]) -> str:
    """Return the advice to request the gradient of the original; it contains a call, if the original has a name."""
    original = context.name_of(context.facts.original)
    moved = done_to_gradient(context.code_of(context.event), context.call_text)
    if moved is not None:
        return texts.WRITE_CALL(call=moved)
    if not is_place(original):
        return texts.NAME_THE_TENSOR(target=context.the_target)
    source = context.source
    index = source[len(original) :] if source.startswith(original + "[") else ""
    call = f"{context.tape_name}.gradient({context.target}, {original}){index}"
    return texts.WRITE_CALL(call=call)


def _computed_once(context: FindingContext[OfCopy], made: events.Placed) -> str:
    """Return the advice to compute the target from the source itself, or both by one model with two outputs."""
    model = context.whole_expr.partition("(")[0]
    part = context.expr_of(made).partition("(")[0]
    if part == model:
        return texts.COMPUTED_ONCE(
            source=context.the_source, expr=context.the_whole_expr, target=context.the_target
        )
    output = None if context.place_site is None else context.place_site.target
    both = f"tf.keras.Model({model}.inputs, [{part}.outputs[0], {model}.outputs[0]])"
    given = context.whole_expr.removeprefix(model)
    return texts.IN_ONE_PASS(better=code(f"{context.source}, {output or 'output'} = {both}{given}"))


source_is_copy = Cause(
    "source-is-copy",
    "MT302",
    says=_source_is_copy,
    confidence=Confidence.LIKELY,
    card=OnCard(texts.COPY_CARD, texts.COPY_EDGE),
    usual=usual.two_outputs,
)
