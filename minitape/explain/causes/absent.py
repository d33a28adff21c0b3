"""Causes where nothing leads from the source to the target."""

import re
from dataclasses import replace
from typing import Any

from minitape.explain.causes.cause import Cause, OnCard, Scene
from minitape.explain.causes.rewriting import is_place, smooth_step
from minitape.explain.causes.texts import Words
from minitape.explain.flow.program.functions import Override
from minitape.explain.report import Confidence, Evidence
from minitape.trace import events

_NO_PATH = OnCard("no path", "")
_MEANING = "what should depend on the source instead cannot be read from the script"


def _unconnected(scene: Scene[Any]) -> Words:
    if scene.facts.get("shape_only"):
        return Words(
            f"only the shape of {scene.source} is used here, not its numbers",
            f"{scene.expr} in line {scene.line} looks at the shape alone: {scene.target} does not depend on "
            f"the numbers in {scene.source}.",
            f"use {scene.source} itself where its numbers are meant",
        )
    if "method" in scene.facts:
        return _overridden(scene, scene.facts["method"])
    uncalled = scene.facts.get("uncalled", ())
    if len(uncalled) == 1 and is_place(uncalled[0]) and "/" in scene.source:
        return _not_called(scene, uncalled[0])
    if scene.facts.get("end") is not None:
        return _dead_end(scene, scene.flow.op(scene.facts["end"]))
    x, y = scene.source, scene.target
    own = scene.facts.get("own")
    if own is not None:
        return Words(
            f"{own} is not used here, nor in any line of this function",
            f"the function around line {scene.place_line} never uses {own} (line {scene.line}): {y} does not depend on it."
            f"{_made_of(scene)}",
            f"use {own} in line {scene.place_line}; if it is meant to be left out, "
            'unconnected_gradients="zero" gives zeros',
        )
    never = "" if scene.facts.get("used") else f" {x} was never used."
    if never and "left" in scene.facts:
        left = scene.flow.placed(scene.facts["left"])
        never = f" Of {x} only the number is used, in line {scene.line_of(left)}."
    return Words(
        f"{x} does not occur in {y}",
        f"{y} does not depend on {x}.{never}{_made_of(scene)}",
        f"use {x} where {y} is computed; if it is meant to be left out, "
        'unconnected_gradients="zero" gives zeros',
    )


unconnected = Cause(
    "unconnected", "MT304", says=_unconnected, card=_NO_PATH, zeros_meant=True, by_hand=_MEANING
)


def _swapped(scene: Scene[Any]) -> Words:
    x, y = scene.source, scene.target
    return Words(
        f"target and source are swapped: {x} was computed from {y}",
        f"{x} was computed from {y}, not the other way round. The target comes first: the gradient of what, by what.",
        f"{scene.tape_name}.gradient({x}, {y})",
    )


# A case of it, with words and a page of its own.
swapped = replace(unconnected, code="MT303", says=_swapped, zeros_meant=False)


def _not_called(scene: Scene[Any], model: str) -> Words:
    """A model whose weights are asked for was not called: what its making computed is no use of it."""
    y = scene.target
    return Words(
        f"{model} is not called here, nor anywhere while the tape recorded",
        f"{model}, whose weights you ask about, was not called while the tape recorded: {y} does not depend on "
        f"{scene.source}.{_made_of(scene)}",
        f"call {model} where {y} is computed, and go on with what it gives",
    )


def _overridden(scene: Scene[Any], method: Override) -> Words:
    """A method of a subclass leaves out what the one uses whose place it takes."""
    own = f"self.{method.attribute}"
    return Words(
        f"{method.name} leaves {own} out",
        f"{method.name} takes the place of {method.base} (line {method.base_line}). That one uses {own}, and this one does not: "
        f"{scene.target} does not depend on {scene.source}.{_made_of(scene)}",
        f"use {own} in line {scene.place_line}, or go on from what super().{method.name.partition('.')[2]}(...) gives",
    )


def _dead_end(scene: Scene[Any], end: events.Op) -> Words:
    """The last value that came from the source is not used; the place is where it should have been, if that is known."""
    x, y = scene.source, scene.target
    name, line = scene.result_of(end), scene.line_of(end)
    nameless = "" if end.target_name else " It was given no name that could be used later."
    look = "" if line == scene.place_line else f" Line {scene.place_line} is where to look."
    return Words(
        f"what comes from {x} does not go on from here",
        f"{name} (line {line}) is computed from {x}, and {y} does not use it.{look or nameless}{_made_of(scene)}",
        f"use {name} where {y} is computed, or ask for another target",
    )


def _made_of(scene: Scene[Any]) -> str:
    leaves = [scene.name_of(value) for value in scene.facts.get("leaves", ())]
    others = [name for name in dict.fromkeys(leaves) if name not in (scene.source, scene.target)]
    return f" {scene.target} is computed from {', '.join(others)}." if others else ""


def _unused(scene: Scene[Any]) -> Words:
    if "dead" not in scene.facts:
        return _unconnected(scene)
    name, x = scene.facts["name"], scene.source
    lost = scene.line_of(scene.flow.placed(scene.found.also[0]))
    if lost == scene.line:
        return Words(
            f"each turn gives {name} a new value and forgets the last",
            f"line {lost} computes {name} from {x} in one turn, and in a later turn gives the name {name} to something "
            f"that was not computed from it.",
            f"use the {name} of the last turn in line {lost}, or add the turns up{_added_up(scene, name)}",
        )
    return Words(
        f"{name} is computed anew here; its value of line {lost} is thrown away",
        f"line {lost} computes {name} from {x}, but line {scene.line} gives the "
        f"name {name} to something that was not computed from it.",
        f"use {name} in line {scene.line}, or give the two values names of their own",
    )


def _added_up(scene: Scene[Any], name: str) -> str:
    """`h = f(x)` → `h += f(x)`, with a value before the loop."""
    code = " ".join(scene.code_of(scene.flow.placed(scene.found.also[0])).split())
    given, found, value = code.partition(" = ")
    if not found or given != name:
        return f": start {name} at 0.0 in front of the loop, and add to it"
    return f": {name} += {value}, with {name} = 0.0 in front of the loop"


unused_layer = Cause(
    "unused-layer",
    "MT304",
    says=_unused,
    confidence=Confidence.LIKELY,
    card=_NO_PATH,
    zeros_meant=True,
    by_hand=_MEANING,
)
overwritten_value = Cause(
    "overwritten-value",
    "MT304",
    says=_unused,
    confidence=Confidence.LIKELY,
    evidence=Evidence.NAME,
    card=OnCard("overwritten", ""),
    by_hand=_MEANING,
)


def _control_flow(scene: Scene[Any]) -> Words:
    used, condition = scene.facts.get("used"), scene.facts.get("condition")
    x = scene.source
    if used is not None:
        return Words(
            f"the branch with {x} did not run",
            f"{x} is used in line {used}, and the condition in line {condition} never led there: {scene.target} does not depend "
            f"on {x}.",
            f"check the condition in line {condition}, and that the data reach both branches; if it may be so, "
            'unconnected_gradients="zero" gives zeros',
        )
    return Words(
        f"{x} only decides here; it is not part of the arithmetic",
        f"{x} is used in line {scene.line} only to choose what runs. "
        "A choice jumps: it has no slope.",
        f"put it into the arithmetic, for example as a smooth switch: {_switch(scene)}",
    )


control_flow = Cause(
    "control-flow",
    "MT305",
    says=_control_flow,
    confidence=Confidence.LIKELY,
    card=OnCard("used to choose", "the choice, not the number"),
    zeros_meant=True,
    by_hand="a choice has no slope, and how smooth a switch would do cannot be read from the script",
)


def _switch(scene: Scene[Any]) -> str:
    """The condition of an `if` as a sigmoid."""
    condition = re.match(r"(?:el)?if (.+?):", scene.code_of(scene.event))
    step = smooth_step(condition[1]) if condition else None
    if step is not None:
        return f"{step} * value, with value = what the branch computes, and width = 0.1 for a start"
    x = scene.source if is_place(scene.source) else "x"
    named = "" if x == scene.source else "x = what the choice is made by, "
    return (
        f"tf.sigmoid(({x} - limit) / width) * value, with {named}value = what is computed on one side of the limit, limit = "
        "where it changes, and width = 0.1 for a start"
    )
