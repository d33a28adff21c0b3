"""Causes at the source: the tape does not watch it, cannot watch it, or the target was computed from another object."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from minitape.explain.causes.cause import Cause, Facts, OnCard, Scene
from minitape.explain.causes.rewriting import (
    assigned,
    is_place,
    operands,
    with_floats,
    with_points,
)
from minitape.explain.causes.texts import Words, code
from minitape.explain.causes.texts import sources as texts
from minitape.explain.causes.wording.copies import done_to_gradient
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.program.text import sources_in
from minitape.explain.report import Confidence
from minitape.trace import events

_UNWATCHED = OnCard(texts.UNWATCHED_CARD, texts.UNWATCHED_EDGE)


@dataclass(frozen=True, kw_only=True)
class NotWatched(Facts):
    """A tensor that the tape does not watch.

    Attributes:
        since: The event that made a tensor of what was a variable, where there is one.
        instead: The tape watches another tensor, whose gradient is not requested.
        again: The tape watches another tensor a second time.
    """

    since: int | None = None
    instead: bool = False
    again: bool = False


def _not_watched(scene: Scene[NotWatched]) -> Words:
    x, source = scene.source, scene.the_source
    watch = code(_watch(scene))
    if scene.facts.since is not None:
        step = scene.flow.placed(scene.facts.since)
        return texts.NO_LONGER_VARIABLE(
            source=source,
            since=scene.line_of(step),
            statement=code(scene.code_of(step)),
            watch=watch,
            line=scene.line,
        )
    if scene.facts.instead:
        return _another_is_watched(scene)
    made = scene.whole_expr.removeprefix("tf.constant(")
    whole = re.fullmatch(r"([\w.]+)\[\d+\]", scene.typed or "")
    fix = texts.ADD_WATCH(watch=watch)
    if whole and "[" not in scene.whole_expr and f"{whole[1]} = [" in scene.code_of(scene.event):
        # Made on one line with the others of its list: one `watch` is enough for all.
        fix = texts.ADD_WATCH(watch=code(f"{scene.tape_name}.watch({whole[1]})"))
    elif is_place(x) and isinstance(scene.event, events.Constant) and made != scene.whole_expr:
        statement = code(f"{x} = tf.Variable({made}")
        fix = texts.ADD_WATCH_OR_VARIABLE(watch=watch, source=source, statement=statement)
    return texts.NOT_WATCHED(
        source=source,
        made=scene.with_line(source, scene.event),
        tape=scene.tape,
        target=scene.the_target,
        fix=fix,
    )


not_watched = Cause("not-watched", "MT101", says=_not_watched, card=_UNWATCHED)


def _another_is_watched(scene: Scene[NotWatched]) -> Words:
    """The words where the tape watches something whose gradient is not requested."""
    source, made = scene.the_source, scene.flow.placed(scene.found.also[0])
    given = operands(scene.whole_expr)[:1]
    return texts.ANOTHER_WATCHED(
        given=code(given[0]) if given and is_place(given[0]) else texts.ANOTHER_TENSOR,
        source=source,
        made=scene.with_line(source, made),
        tape=scene.tape,
        line=scene.line,
        twice=texts.A_SECOND_TIME if scene.facts.again else texts.FOR_NOTHING,
        target=scene.the_target,
        watch=code(_watch(scene)),
    )


def _watch(scene: Scene[Facts]) -> str:
    """The line that watches the source; where it has no name of its own there, all sources of the call."""
    watched = scene.typed or sources_in(scene.call_text) or scene.source
    return f"{scene.tape_name}.watch({watched})"


@dataclass(frozen=True, kw_only=True)
class WatchedTooLate(Facts):
    """A use of a tensor before the call of `watch`.

    Attributes:
        op: The event of the op that used it.
        value: The result of that op, where a target may have been computed from it.
    """

    op: int
    value: int | None = None


def _watched_too_late(scene: Scene[WatchedTooLate]) -> Words:
    entry = texts.TOO_LATE_IN_PART if scene.facts.partial else texts.TOO_LATE
    return entry(
        source=scene.the_source,
        used=scene.line_of(scene.flow.op(scene.facts.op)),
        call=code(f"{scene.tape_name}.watch"),
        line=scene.line,
        watch=code(_watch(scene)),
    )


watched_too_late = Cause(
    "watched-too-late",
    "MT102",
    says=_watched_too_late,
    card=OnCard(texts.TOO_LATE_CARD, texts.TOO_LATE_EDGE),
    goes_on=True,
)


def _auto_watch_off(scene: Scene[Facts]) -> Words:
    return texts.AUTO_WATCH_OFF(tape=scene.tape, source=scene.the_source, watch=code(_watch(scene)))


auto_watch_off = Cause("auto-watch-off", "MT104", says=_auto_watch_off, card=_UNWATCHED)


@dataclass(frozen=True, kw_only=True)
class NotTrainable(Facts):
    """A variable that is not trainable.

    Attributes:
        listed: The statement or call that lists it among the sources, for a variable that holds state of a layer.
        false_at: The line that sets the False that its `trainable` is given, where that is another line.
    """

    listed: str | None = None
    false_at: int | None = None


def _not_trainable(scene: Scene[NotTrainable]) -> Words:
    source = scene.the_source
    made, listed, since = (
        scene.with_line(source, scene.event),
        scene.facts.listed,
        scene.facts.false_at,
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
        since="" if since is None else texts.SET_ON_LINE(line=since),
        fix=_made_trainable(scene),
    )


def _made_trainable(scene: Scene[NotTrainable]) -> str:
    """The advice for a variable that should learn; a weight of a layer cannot be watched, because `tape.watch` refuses it."""
    since = scene.facts.false_at
    advice = texts.REMOVE_FALSE if since is None else texts.TRUE_INSTEAD(line=since)
    if "/" in scene.source or not scene.typed:
        return advice
    return texts.OR_WATCH(advice=advice, watch=code(_watch(scene)))


not_trainable = Cause(
    "not-trainable",
    "MT103",
    says=_not_trainable,
    card=OnCard(texts.NOT_TRAINABLE_CARD, texts.NOT_TRAINABLE_EDGE),
    zeros_meant=True,
)


@dataclass(frozen=True, kw_only=True)
class OfDtype(Facts):
    """A value of a dtype that has no gradient.

    Attributes:
        is_source: It is the source itself; otherwise an op on the path converted a value to that dtype.
        holds_indices: The source holds indices, and the break points at the line that watches it.
    """

    is_source: bool = False
    holds_indices: bool = False


def _integer_dtype(scene: Scene[OfDtype]) -> Words:
    if not scene.facts.is_source:
        return texts.CONVERTED_TO_INTEGERS(
            call=scene.the_expr, line=scene.line, fix=_without_the_cast(scene)
        )
    source, dtype = scene.the_source, scene.flow.dtype(scene.value)
    made = scene.with_line(source, scene.event)
    if scene.facts.holds_indices:
        found = _looked_up(scene)
        value = (
            texts.LOOKED_UP
            if found is None
            else scene.with_line(code(scene.result_of(found)), found)
        )
        return texts.INDEX_SOURCE(
            source=source, dtype=dtype, made=made, target=scene.the_target, found=value
        )
    site = scene.place_site
    better = None if site is None else with_points(" ".join(site.expression.split()))
    fix = texts.FLOATS_INSTEAD(better=code(better)) if better else texts.USE_FLOATS
    return texts.INTEGER_SOURCE(source=source, dtype=dtype, made=made, fix=fix)


def _looked_up(scene: Scene[OfDtype]) -> events.Op | None:
    """The first op that looks up something differentiable by the indices."""
    flow = scene.flow
    after = {each for each in flow.downstream([scene.value]) if not flow.is_smooth(each)}
    opened = scene.tape_event or scene.event
    numbers = sorted({edge.event for value in after for edge in flow.out_of.get(value, ())})
    for each in map(flow.event, numbers):
        if not isinstance(each, events.Op) or each.i < opened.i:
            continue
        if flow.is_smooth(each.outputs[0].id):
            return each
    return None


integer_dtype = Cause(
    "integer-dtype",
    "MT202",
    says=_integer_dtype,
    card=OnCard(texts.STOPPED_CARD, texts.INTEGER_EDGE, is_op=True),
)


_LOOKING_UP = {"GatherNd", "GatherV2", "OneHot", "Range", "ResourceGather", "StridedSlice"}


def _without_the_cast(scene: Scene[OfDtype]) -> str:
    """What to write instead of a cast to integers, which may be needed as indices only."""
    given, cast = operands(scene.whole_expr)[:1], scene.event
    if not isinstance(cast, events.Op) or cast.name != "Cast" or not given:
        return texts.KEEP_FLOATS
    x, whole = given[0], cast.target_name or scene.whole_expr
    written = _from_the_float(scene, cast, x, whole)
    if written is not None:
        return texts.FROM_THE_FLOAT(
            line=written.line, statement=code(written.statement), integer=code(whole)
        )
    v = x if is_place(x) else "v"
    if are_places(scene.flow, [each.id for each in cast.outputs]):
        fraction = code(f"{v} - tf.floor({v})")
        advice = texts.INDEX_ONLY(integer=code(whole), value=code(x), fraction=fraction)
    else:
        estimator = code(f"{v} + tf.stop_gradient(tf.floor({v}) - {v})")
        advice = (
            texts.FLOAT_INSTEAD(
                statement=code(f"{cast.target_name} = {x}"), line=scene.line, estimator=estimator
            )
            if cast.target_name
            else texts.FLOAT_EXPRESSION_INSTEAD(
                value=code(x), written=scene.the_whole_expr, estimator=estimator
            )
        )
    return advice if v == x else texts.WITH_VALUE(advice=advice, name=code(f"v = {x}"))


def are_places(flow: Flow, whole: list[int]) -> bool:
    """Whether these integers are used as indices, or Python counts with them."""
    after = {value for value in flow.downstream(whole) if not flow.is_smooth(value)}
    ops = (flow.event(edge.event) for value in after for edge in flow.out_of.get(value, ()))
    names = {each.name for each in ops if isinstance(each, events.Op)}
    return bool(names & _LOOKING_UP) or any(after & set(nodes) for _, nodes in flow.exits.values())


class _Statement(NamedTuple):
    """A statement, and its line."""

    line: int | str | None
    statement: str


def _from_the_float(
    scene: Scene[OfDtype], cast: events.Op, x: str, whole: str
) -> _Statement | None:
    """The statement that converts the integers to floats again, computed from `x`; None where it does no arithmetic."""
    flow = scene.flow
    waiting, seen = [each.id for each in cast.outputs], set[int]()
    while waiting:
        for edge in flow.out_of.get(waiting.pop(), ()):
            op = flow.event(edge.event)
            if not isinstance(op, events.Op) or edge.end in seen:
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
                    return _Statement(scene.line_of(op), f"{name}{better}")
    return None


def _string_dtype(scene: Scene[OfDtype]) -> Words:
    if not scene.facts.is_source:
        return texts.CONVERTED_TO_STRINGS(call=scene.the_expr, line=scene.line)
    x, source = scene.source, scene.the_source
    return texts.STRING_SOURCE(
        source=source,
        made=scene.with_line(source, scene.event),
        statement=code(f"{x} = tf.Variable(tf.strings.to_number({x}))"),
    )


string_dtype = Cause(
    "string-dtype",
    "MT202",
    says=_string_dtype,
    card=OnCard(texts.STOPPED_CARD, texts.STRING_EDGE, is_op=True),
    by_hand=texts.STRING_BY_HAND,
)


def _bool_dtype(scene: Scene[OfDtype]) -> Words:
    (x, *_) = operands(scene.whole_expr) or ["x"]
    return texts.CONVERTED_TO_BOOLEANS(
        call=scene.the_expr,
        line=scene.line,
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


def _variable_replaced(scene: Scene[Facts]) -> Words:
    x, source, line = scene.source, scene.the_source, scene.line
    statement = scene.code_of(scene.event)
    if isinstance(scene.event, events.Assign):
        return texts.ASSIGN_RESULT(
            source=source,
            method=code(scene.event.how),
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
)


@dataclass(frozen=True, kw_only=True)
class OfCopy(Facts):
    """A copy in place of the tensor that the target was computed from.

    Attributes:
        original: The value that it is a copy of.
        is_watched: The copy is what the tape watches; otherwise it is the source of the call.
    """

    original: int
    is_watched: bool = False


def _source_is_copy(scene: Scene[OfCopy]) -> Words:
    source, target = scene.the_source, scene.the_target
    if scene.facts.is_watched:
        return texts.COPY_WATCHED(
            source=source,
            call=code(f"{scene.tape_name}.watch"),
            line=scene.line,
            target=target,
            fix=_watch(scene),
        )
    return texts.COPY_REQUESTED(
        source=source,
        target=target,
        original=scene.called(scene.facts.original),
        line=scene.line,
        fix=_of_the_original(scene),
    )


def _of_the_original(scene: Scene[OfCopy]) -> str:
    """The call that requests the gradient of the original, as code; in words where the original has no name."""
    original = scene.name_of(scene.facts.original)
    moved = done_to_gradient(scene.code_of(scene.event), scene.call_text)
    if moved is not None:
        return moved
    if not is_place(original):
        return texts.NAME_THE_TENSOR(target=scene.the_target)
    source = scene.source
    index = source[len(original) :] if source.startswith(original + "[") else ""
    return f"{scene.tape_name}.gradient({scene.target}, {original}){index}"


source_is_copy = Cause(
    "source-is-copy",
    "MT302",
    says=_source_is_copy,
    confidence=Confidence.LIKELY,
    card=OnCard(texts.COPY_CARD, texts.COPY_EDGE),
)
