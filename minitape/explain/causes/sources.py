"""Causes at the source: it is not watched, cannot be, or is not the object that was used."""

import re
from typing import Any

from minitape.explain.causes.cause import Cause, OnCard, Scene
from minitape.explain.causes.rewriting import (
    assigned,
    is_place,
    operands,
    with_floats,
    with_points,
)
from minitape.explain.causes.texts import Words
from minitape.explain.causes.wording.copies import done_to_gradient
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.program.text import sources_in
from minitape.explain.report import Confidence
from minitape.trace import events

_UNWATCHED = OnCard("not watched", "used, but not recorded")


def _not_watched(scene: Scene[Any]) -> Words:
    x = scene.source
    if "since" in scene.facts:
        step = scene.flow.placed(scene.facts["since"])
        return Words(
            f"{x} is no variable any more: this tape has to be told to watch it",
            f"since line {scene.line_of(step)} ({scene.code_of(step)}) {x} is a tensor, so that an outer tape can follow how it "
            f"was made; but {scene.tape} watches variables by itself, tensors not.",
            f"{_watch(scene)} as the first line inside the with of line {scene.line}; an assign in line {scene.line_of(step)} "
            "would cut it off from the outer tape",
        )
    if scene.facts.get("instead"):
        return _another_is_watched(scene)
    watch = f"{_watch(scene)} as the first line inside the with"
    made = scene.whole_expr.removeprefix("tf.constant(")
    whole = re.fullmatch(r"([\w.]+)\[\d+\]", scene.typed or "")
    if whole and "[" not in scene.whole_expr and f"{whole[1]} = [" in scene.code_of(scene.event):
        # Made in one line with the others of its list: one watch does for all.
        watch = f"{scene.tape_name}.watch({whole[1]}) as the first line inside the with"
    elif is_place(x) and isinstance(scene.event, events.Constant) and made != scene.whole_expr:
        watch += f"; or make it a variable: {x} = tf.Variable({made}"
    return Words(
        f"{x} is a plain tensor: no tape watches it by itself",
        f"{scene.with_line(x, scene.event)} is a tensor, not a variable, and {scene.tape} was never told to watch it. "
        f"{scene.target} does depend on {x}; only the watching is missing.",
        watch,
    )


not_watched = Cause("not-watched", "MT101", says=_not_watched, card=_UNWATCHED)


def _another_is_watched(scene: Scene[Any]) -> Words:
    """The tape was told to watch something that nobody asks it for."""
    x, made = scene.source, scene.flow.placed(scene.found.also[0])
    given = (operands(scene.whole_expr) or ["another tensor"])[0]
    what = f"{given} is watched" if is_place(given) else "another tensor is watched"
    again = "a second time" if scene.facts["again"] else "which it is not asked for"
    return Words(
        f"{what} here, not {x}",
        f"{scene.with_line(x, made)} is a tensor, not a variable, and {scene.tape} was never told to watch it: line "
        f"{scene.line} tells it of {given}, {again}. {scene.target} does depend on {x}.",
        f"{_watch(scene)} in line {scene.line}",
    )


def _watch(scene: Scene[Any]) -> str:
    """The line that watches the source; where it has no name of its own there, all that the call asks for."""
    watched = scene.typed or sources_in(scene.call_text) or scene.source
    return f"{scene.tape_name}.watch({watched})"


def _watched_too_late(scene: Scene[Any]) -> Words:
    x, used = scene.source, scene.flow.op(scene.facts["op"])
    outcome = (
        "the gradient lacks the share that flows through that earlier use"
        if scene.facts.get("partial")
        else "what was computed before is not on it"
    )
    return Words(
        f"too late: {x} was already used in line {scene.line_of(used)}",
        f"{scene.tape_name}.watch runs in line {scene.line}, but {x} was already used in line "
        f"{scene.line_of(used)}. A tape cannot look back: {outcome}.",
        f"move {_watch(scene)} to the top of the with block",
    )


watched_too_late = Cause(
    "watched-too-late",
    "MT102",
    says=_watched_too_late,
    card=OnCard("watched too late", "used before it was watched"),
    goes_on=True,
)


def _auto_watch_off(scene: Scene[Any]) -> Words:
    return Words(
        "this tape does not watch variables by itself",
        f"{scene.tape} was opened with watch_accessed_variables=False, and {scene.source} was never watched.",
        f"{_watch(scene)} as the first line inside the with, or leave watch_accessed_variables=False away",
    )


auto_watch_off = Cause("auto-watch-off", "MT104", says=_auto_watch_off, card=_UNWATCHED)


def _not_trainable(scene: Scene[Any]) -> Words:
    listed = scene.facts.get("listed")
    if listed is not None:
        shorter = re.sub(r" \+ [\w.]+\.non_trainable_(variables|weights)\b", "", listed)
        better = re.sub(r"\.(variables|weights)\b", r".trainable_\1", shorter)
        return Words(
            f"{scene.source} is not trainable: its layer keeps it for itself",
            f"{scene.with_line(scene.source, scene.event)} is what a layer keeps count of, a running mean for example. It is not "
            "trainable, and no tape follows it: this None is as it should be.",
            f"{better}: the weights that learn"
            if better != listed
            else "ask only for trainable_variables",
        )
    since = scene.facts.get("false_at")
    given = "" if since is None else f", which it has from line {since}"
    return Words(
        f"{scene.source} is made with trainable=False",
        f"{scene.with_line(scene.source, scene.event)} was made with trainable=False{given}, so a tape does not watch it by "
        "itself. If it is a statistic that is not meant to learn, this None is as it should be.",
        f"if it should learn: {_made_trainable(scene)}; if not: ask only for trainable variables",
    )


def _made_trainable(scene: Scene[Any]) -> str:
    """A weight of a layer cannot be watched, for there `tape.watch` refuses it."""
    since = scene.facts.get("false_at")
    away = (
        "leave trainable=False away" if since is None else f"True in place of False in line {since}"
    )
    return away if "/" in scene.source or not scene.typed else f"{away}, or {_watch(scene)}"


not_trainable = Cause(
    "not-trainable",
    "MT103",
    says=_not_trainable,
    card=OnCard("not trainable", "read, but not watched"),
    zeros_meant=True,
)


def _integer_dtype(scene: Scene[Any]) -> Words:
    if scene.facts.get("source") is None:
        return Words(
            "from here on whole numbers: no slope",
            f"{scene.expr} in line {scene.line} turns the values into whole numbers. They move in jumps, "
            "so there is no slope to follow.",
            _without_the_cast(scene),
        )
    dtype = scene.flow.dtype(scene.value)
    if scene.facts["watched"] is not None:
        return _of_places(scene, dtype)
    site = scene.place_site
    better = None if site is None else with_points(" ".join(site.expression.split()))
    return Words(
        f"{scene.source} is {dtype}: whole numbers have no gradient",
        f"{scene.with_line(scene.source, scene.event)} has dtype {dtype}. Gradients exist for float and complex numbers only.",
        better or "make it of floats: 4.0 instead of 4, or dtype=tf.float32",
    )


def _of_places(scene: Scene[Any], dtype: str) -> Words:
    """The tape was told to watch the places at which a program looks something up."""
    x, made = scene.source, scene.event
    found = _looked_up(scene)
    what = "what is found there" if found is None else scene.result_of(found)
    return Words(
        f"{x} holds places ({dtype}): there is no slope from one to the next",
        f"{scene.with_line(x, made)} has dtype {dtype} and holds places, at which something is looked up. Between one place and "
        f"the next there is nothing, and so no slope. {scene.target} does have one with respect to {what}"
        f"{'' if found is None or scene.line_of(found) is None else f' (line {scene.line_of(found)})'}.",
        "give what is found there a name, watch that, go on with it, and ask for the gradient with respect to it",
    )


def _looked_up(scene: Scene[Any]) -> events.Op | None:
    """The first op that found something with a slope at the places."""
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
    card=OnCard("stopped here", "whole numbers have no slope", is_op=True),
)


_LOOKING_UP = {"GatherNd", "GatherV2", "OneHot", "Range", "ResourceGather", "StridedSlice"}


def _without_the_cast(scene: Scene[Any]) -> str:
    """What to write in place of a cast to whole numbers, which are needed as places only."""
    given, cast = operands(scene.whole_expr)[:1], scene.event
    if not isinstance(cast, events.Op) or cast.name != "Cast" or not given:
        return "keep a float dtype on the path; convert only what is looked at, not what is differentiated"
    x, whole = given[0], cast.target_name or scene.whole_expr
    written = _from_the_float(scene, cast, x, whole)
    if written is not None:
        return f"{written}; use {whole} for places only (tf.gather, an index)"
    v = x if is_place(x) else "v"
    where = "" if is_place(x) else f", with v = {x}"
    if are_places(scene.flow, [each.id for each in cast.outputs]):
        return (
            f"use {whole} for places only; what is to have a slope computes with {x} itself, say with the fraction "
            f"{v} - tf.floor({v}){where}"
        )
    kept = (
        f"{cast.target_name} = {x} (line {scene.line})"
        if cast.target_name
        else f"{x} instead of {scene.whole_expr}"
    )
    return f"{kept}; or whole numbers with its slope, straight through: {v} + tf.stop_gradient(tf.floor({v}) - {v}){where}"


def are_places(flow: Flow, whole: list[int]) -> bool:
    """Whether entries are looked up by these whole numbers, or Python counts by them."""
    after = {value for value in flow.downstream(whole) if not flow.is_smooth(value)}
    ops = (flow.event(edge.event) for value in after for edge in flow.out_of.get(value, ()))
    names = {each.name for each in ops if isinstance(each, events.Op)}
    return bool(names & _LOOKING_UP) or any(after & set(nodes) for _, nodes in flow.exits.values())


def _from_the_float(scene: Scene[Any], cast: events.Op, x: str, whole: str) -> str | None:
    """The line that makes floats of the whole numbers again, computed from `x`; None where it does no arithmetic."""
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
                    return f"line {scene.line_of(op)}: {name}{better}"
    return None


def _string_dtype(scene: Scene[Any]) -> Words:
    if scene.facts.get("source") is not None:
        x = scene.source
        return Words(
            f"{x} is text: it has no slope",
            f"{scene.with_line(x, scene.event)} holds text. Gradients exist for float and complex numbers only.",
            f"make numbers of it first: {x} = tf.Variable(tf.strings.to_number({x}))",
        )
    return Words(
        "from here on text: no slope",
        f"{scene.expr} in line {scene.line} turns numbers into text. Text has no slope.",
        "keep the numbers for what is differentiated; make text only of what is shown",
    )


string_dtype = Cause(
    "string-dtype",
    "MT202",
    says=_string_dtype,
    card=OnCard("stopped here", "text has no slope", is_op=True),
    by_hand="text has no slope",
)


def _bool_dtype(scene: Scene[Any]) -> Words:
    (x, *_) = operands(scene.whole_expr) or ["x"]
    return Words(
        "from here on true or false: no slope",
        f"{scene.expr} in line {scene.line} turns the values into true and false. "
        "Between the two there is no slope.",
        f"use {x} itself, or a smooth step: tf.sigmoid(({x} - threshold) / width), with threshold = 0.5 and width = 0.1 "
        "for a start",
    )


bool_dtype = Cause(
    "bool-dtype",
    "MT202",
    says=_bool_dtype,
    card=OnCard("stopped here", "true or false has no slope", is_op=True),
    by_hand="a step has no slope, and how smooth a one would do cannot be read from the script",
)


def _variable_replaced(scene: Scene[Any]) -> Words:
    x = scene.source
    statement = scene.code_of(scene.event)
    if isinstance(scene.event, events.Assign):
        how = scene.event.how
        return Words(
            f"what {how} gives back takes the name {x}: no tape watches that by itself",
            f"line {scene.line} ({statement}) gives the name {x} to what {how} returns. "
            "That shows the variable's value, but a tape does not watch it by itself.",
            f"{statement.partition('=')[2].strip()} as a statement of its own, without `{x} =`",
        )
    better = assigned(x, statement)
    return Words(
        f"from here on {x} is a plain tensor, no longer your variable",
        f"{x} was a variable, but line {scene.line} ({statement}) put a plain tensor in its place. "
        "A tape watches variables by itself, tensors not.",
        f"{better} in place of line {scene.line}"
        if better
        else f"give the variable a new value instead: {x}.assign(...)",
    )


variable_replaced = Cause(
    "variable-replaced",
    "MT301",
    says=_variable_replaced,
    card=OnCard("replaced", "another object, same name"),
)


def _source_is_copy(scene: Scene[Any]) -> Words:
    original = scene.name_of(scene.facts["original"])
    source = scene.source
    if scene.facts.get("watched"):
        return Words(
            f"what is watched here is a copy of {source}",
            f"{scene.tape_name}.watch in line {scene.line} was given a new tensor made from {source}; "
            f"{scene.target} is computed from {source} itself, which nothing watches.",
            _watch(scene),
        )
    index = source[len(original) :] if source.startswith(original + "[") else ""
    fix = f"give the tensor that {scene.target} is computed from a name, and ask for that name"
    moved = done_to_gradient(scene.code_of(scene.event), scene.call_text)
    if moved is not None:
        fix = moved
    elif is_place(original):
        fix = f"{scene.tape_name}.gradient({scene.target}, {original}){index}"
    return Words(
        f"this makes a new tensor; {scene.target} was computed from {original} itself",
        f"{source} is a new tensor, made in line {scene.line} from the same numbers as {original}. "
        f"{scene.target} was computed from {original}, not from this copy.",
        fix,
    )


source_is_copy = Cause(
    "source-is-copy",
    "MT302",
    says=_source_is_copy,
    confidence=Confidence.LIKELY,
    card=OnCard("a copy", "same number, another tensor"),
)
