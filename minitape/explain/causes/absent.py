"""Causes of a source without a path to the target. Their texts are in `texts/absent.py`."""

import re
from dataclasses import dataclass, replace

from minitape.explain.causes.cause import Cause, Facts, OnCard, Scene
from minitape.explain.causes.rewriting import is_place, smooth_step
from minitape.explain.causes.texts import Words, code, joined
from minitape.explain.causes.texts import absent as texts
from minitape.explain.flow.program.functions import Override
from minitape.explain.report import Confidence, Evidence
from minitape.trace import events

_NO_PATH = OnCard(texts.NO_PATH_CARD, "")


@dataclass(frozen=True, kw_only=True)
class Unconnected(Facts):
    """A target that does not depend on the source, and what is known of how the source is used.

    Attributes:
        shape_only: The op at the finding uses only the shape of the source.
        method: A method of a subclass that does not use the source, although the method that it overrides does.
        uncalled: The models whose weights are requested and that were not called while the tape recorded.
        end: The event of the op with the last value that was computed from the source.
        own: The attribute (`self.bias`) that the function at the finding should have used.
        used: Something was computed from the source.
        left: The event by which the value of the source left TensorFlow, if it did.
        leaves: The variables and named constants from which the target was computed.
    """

    shape_only: bool = False
    method: Override | None = None
    uncalled: tuple[str, ...] = ()
    end: int | None = None
    own: str | None = None
    used: bool = False
    left: int | None = None
    leaves: tuple[int, ...] = ()


def _unconnected(scene: Scene[Unconnected]) -> Words:
    return _no_path(scene, scene.facts)


def _no_path(scene: Scene[Facts], facts: Unconnected) -> Words:
    source, target = scene.the_source, scene.the_target
    computed_from = _computed_from(scene, facts)
    if facts.shape_only:
        return texts.SHAPE_ONLY(source=source, target=target, expr=scene.the_expr, line=scene.line)
    if facts.method is not None:
        return _overridden(scene, facts.method, computed_from)
    if len(facts.uncalled) == 1 and is_place(facts.uncalled[0]) and "/" in scene.source:
        return texts.NOT_CALLED(
            model=code(facts.uncalled[0]),
            source=source,
            target=target,
            computed_from=computed_from,
        )
    if facts.end is not None:
        return _dead_end(scene, scene.flow.op(facts.end), computed_from)
    if facts.own is not None:
        return texts.NOT_IN_FUNCTION(
            attribute=code(facts.own),
            place=scene.place_line,
            line=scene.line,
            target=target,
            computed_from=computed_from,
        )
    return texts.UNCONNECTED(
        source=source, target=target, use=_use(scene, facts), computed_from=computed_from
    )


def _use(scene: Scene[Facts], facts: Unconnected) -> str:
    """The sentence on a source from which nothing was computed."""
    if facts.used:
        return ""
    if facts.left is None:
        return texts.NEVER_USED(source=scene.the_source)
    left = scene.flow.placed(facts.left)
    return texts.ONLY_VALUE_USED(source=scene.the_source, line=scene.line_of(left))


def _computed_from(scene: Scene[Facts], facts: Unconnected) -> str:
    """The sentence on what the target was computed from; empty if that says nothing new."""
    leaves = {scene.name_of(value): scene.called(value) for value in facts.leaves}
    others = [called for name, called in leaves.items() if name not in (scene.source, scene.target)]
    return texts.COMPUTED_FROM(target=scene.the_target, names=joined(others)) if others else ""


def _overridden(scene: Scene[Facts], method: Override, computed_from: str) -> Words:
    """A method of a subclass that does not use what the method that it overrides uses."""
    return texts.OVERRIDDEN(
        method=code(method.name),
        base=code(method.base),
        base_line=method.base_line,
        attribute=code(f"self.{method.attribute}"),
        parent=code(f"super().{method.name.partition('.')[2]}(...)"),
        place=scene.place_line,
        source=scene.the_source,
        target=scene.the_target,
        computed_from=computed_from,
    )


def _dead_end(scene: Scene[Facts], end: events.Op, computed_from: str) -> Words:
    """The last value computed from the source is not used; the finding points to where it should have been, if that is known."""
    name, line = scene.result_of(end), scene.line_of(end)
    where = "" if end.target_name else texts.UNNAMED
    if line != scene.place_line:
        where = texts.LOOK_AT_LINE(place=scene.place_line)
    is_same = name == scene.target
    entry = texts.DEAD_END_OF_SAME_NAME if is_same else texts.DEAD_END
    return entry(
        name=code(name),
        line=line,
        source=scene.the_source,
        target=scene.the_target,
        where=where,
        computed_from=computed_from,
    )


unconnected = Cause(
    "unconnected",
    "MT304",
    says=_unconnected,
    card=_NO_PATH,
    zeros_meant=True,
    by_hand=texts.UNKNOWN_USE,
)


def _swapped(scene: Scene[Facts]) -> Words:
    return texts.SWAPPED(
        source=scene.the_source,
        target=scene.the_target,
        call=f"{scene.tape_name}.gradient({scene.source}, {scene.target})",
    )


# A case of `unconnected`, with a page of its own.
swapped = replace(unconnected, code="MT303", says=_swapped, zeros_meant=False)


@dataclass(frozen=True, kw_only=True)
class Overwritten(Facts):
    """A value computed from the source whose name was then given to another value.

    Attributes:
        name: The name.
    """

    name: str


def _overwritten(scene: Scene[Overwritten]) -> Words:
    return _replaced(scene, scene.facts)


def _replaced(scene: Scene[Facts], facts: Overwritten) -> Words:
    name = code(facts.name)
    lost = scene.line_of(scene.flow.placed(scene.found.also[0]))
    if lost == scene.line:
        advice = _accumulated(scene, facts.name, lost)
        return texts.OVERWRITTEN_IN_LOOP(
            name=name, source=scene.the_source, lost=lost, advice=advice
        )
    return texts.OVERWRITTEN(name=name, source=scene.the_source, lost=lost, line=scene.line)


def _accumulated(scene: Scene[Facts], name: str, lost: int | str | None) -> str:
    """`h = f(x)` → `h += f(x)`, with an initial value before the loop."""
    statement = " ".join(scene.code_of(scene.flow.placed(scene.found.also[0])).split())
    given, found, value = statement.partition(" = ")
    if not found or given != name:
        return texts.ACCUMULATE(name=code(name), line=lost)
    return texts.ACCUMULATE_STATEMENT(
        name=code(name),
        line=lost,
        statement=code(f"{name} += {value}"),
        start=code(f"{name} = 0.0"),
    )


def _unused_layer(scene: Scene[Unconnected | Overwritten]) -> Words:
    facts = scene.facts
    return _replaced(scene, facts) if isinstance(facts, Overwritten) else _no_path(scene, facts)


unused_layer = Cause(
    "unused-layer",
    "MT304",
    says=_unused_layer,
    confidence=Confidence.LIKELY,
    card=_NO_PATH,
    zeros_meant=True,
    by_hand=texts.UNKNOWN_USE,
)
overwritten_value = Cause(
    "overwritten-value",
    "MT304",
    says=_overwritten,
    confidence=Confidence.LIKELY,
    evidence=Evidence.NAME,
    card=OnCard(texts.OVERWRITTEN_CARD, ""),
    by_hand=texts.UNKNOWN_USE,
)


@dataclass(frozen=True, kw_only=True)
class ControlFlow(Facts):
    """A source that is used only in a condition, or only in a branch that did not run.

    Attributes:
        used: The line of the branch that uses the source and did not run; None if the source is used in the condition.
        condition: The line of the condition of that branch.
    """

    used: int | None = None
    condition: int | None = None


def _control_flow(scene: Scene[ControlFlow]) -> Words:
    used, condition, source = scene.facts.used, scene.facts.condition, scene.the_source
    if used is not None:
        return texts.BRANCH_DID_NOT_RUN(
            source=source, target=scene.the_target, used=used, condition=condition
        )
    return texts.CONDITION_ONLY(source=source, line=scene.line, switch=_switch(scene))


control_flow = Cause(
    "control-flow",
    "MT305",
    says=_control_flow,
    confidence=Confidence.LIKELY,
    card=OnCard(texts.CONDITION_CARD, texts.CONDITION_LEAVING),
    zeros_meant=True,
    by_hand=texts.UNKNOWN_SWITCH,
)


def _switch(scene: Scene[ControlFlow]) -> str:
    """The condition of an `if` as a sigmoid."""
    condition = re.match(r"(?:el)?if (.+?):", scene.code_of(scene.event))
    step = smooth_step(condition[1]) if condition else None
    if step is not None:
        return texts.SWITCH_OF_CONDITION(step=step)
    is_known = is_place(scene.source)
    x = scene.source if is_known else "x"
    x_is = "" if x == scene.source else texts.X_IS_CONDITION
    return texts.SWITCH(x=x, x_is=x_is)
