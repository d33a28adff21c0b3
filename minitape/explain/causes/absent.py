"""Causes of a source without a path to the target. Their texts are in `texts/absent.py`."""

import re
from dataclasses import dataclass, replace

from minitape.explain.causes.cause import Cause, Facts, FindingContext, OnCard
from minitape.explain.causes.rewriting import is_place, smooth_step
from minitape.explain.causes.texts import Words, code, joined
from minitape.explain.causes.texts import absent as texts
from minitape.explain.flow.program.functions import Override
from minitape.explain.report import Confidence, Evidence
from minitape.trace import events

_NO_PATH = OnCard(texts.NO_PATH_CARD, "")


@dataclass(frozen=True, kw_only=True)
class Unconnected(Facts):
    """A target that does not depend on the source, and what is known about the uses of the source.

    Attributes:
        shape_only: Whether the op at the finding uses only the shape of the source.
        method: A method of a subclass that does not use the source, although the method that it overrides does.
        uncalled: The models whose weights are requested and that were not called while the tape recorded.
        end: The event of the op with the last value that was computed from the source.
        own: The attribute (`self.bias`) that the function at the finding should have used.
        used: Whether something was computed from the source.
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


def _unconnected(context: FindingContext[Unconnected]) -> Words:
    return _no_path(context, context.facts)


def _no_path(context: FindingContext[Facts], facts: Unconnected) -> Words:
    source, target = context.the_source, context.the_target
    computed_from = _computed_from(context, facts)
    if facts.shape_only:
        return texts.SHAPE_ONLY(
            source=source, target=target, expr=context.the_expr, line=context.line
        )
    if facts.method is not None:
        return _overridden(context, facts.method, computed_from)
    if len(facts.uncalled) == 1 and is_place(facts.uncalled[0]) and "/" in context.source:
        return texts.NOT_CALLED(
            model=code(facts.uncalled[0]),
            source=source,
            target=target,
            computed_from=computed_from,
        )
    if facts.end is not None:
        return _dead_end(context, context.flow.op(facts.end), computed_from)
    if facts.own is not None:
        return texts.NOT_IN_FUNCTION(
            attribute=code(facts.own),
            place=context.place_line,
            line=context.line,
            target=target,
            computed_from=computed_from,
        )
    return texts.UNCONNECTED(
        source=source, target=target, use=_use(context, facts), computed_from=computed_from
    )


def _use(context: FindingContext[Facts], facts: Unconnected) -> str:
    """Return the sentence on a source from which nothing was computed."""
    if facts.used:
        return ""
    if facts.left is None:
        return texts.NEVER_USED(source=context.the_source)
    left = context.flow.placed(facts.left)
    return texts.ONLY_VALUE_USED(source=context.the_source, line=context.line_of(left))


def _computed_from(context: FindingContext[Facts], facts: Unconnected) -> str:
    """Return the sentence on what the target was computed from; empty if that sentence would add nothing."""
    leaves = {context.name_of(value): context.called(value) for value in facts.leaves}
    others = [
        called for name, called in leaves.items() if name not in (context.source, context.target)
    ]
    return texts.COMPUTED_FROM(target=context.the_target, names=joined(others)) if others else ""


def _overridden(context: FindingContext[Facts], method: Override, computed_from: str) -> Words:
    """Return a method of a subclass that does not use what the method that it overrides uses."""
    return texts.OVERRIDDEN(
        method=code(method.name),
        base=code(method.base),
        base_line=method.base_line,
        attribute=code(f"self.{method.attribute}"),
        parent=code(f"super().{method.name.partition('.')[2]}(...)"),
        place=context.place_line,
        source=context.the_source,
        target=context.the_target,
        computed_from=computed_from,
    )


def _dead_end(context: FindingContext[Facts], end: events.OpEvent, computed_from: str) -> Words:
    """Return the words for a last value computed from the source that is never used, and where it should have been used, if
    known.
    """
    name, line = context.result_of(end), context.line_of(end)
    where = "" if end.target_name else texts.UNNAMED
    if line != context.place_line:
        where = texts.LOOK_AT_LINE(place=context.place_line)
    is_same = name == context.target
    entry = texts.DEAD_END_OF_SAME_NAME if is_same else texts.DEAD_END
    return entry(
        name=code(name),
        line=line,
        source=context.the_source,
        target=context.the_target,
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


def _swapped(context: FindingContext[Facts]) -> Words:
    return texts.SWAPPED(
        source=context.the_source,
        target=context.the_target,
        call=f"{context.tape_name}.gradient({context.source}, {context.target})",
    )


# A case of `unconnected`, with a page of its own.
swapped = replace(unconnected, code="MT303", says=_swapped, zeros_meant=False)


@dataclass(frozen=True, kw_only=True)
class Overwritten(Facts):
    """A value that was computed from the source, and whose name was then assigned to another value.

    Attributes:
        name: The name.
    """

    name: str


def _overwritten(context: FindingContext[Overwritten]) -> Words:
    return _replaced(context, context.facts)


def _replaced(context: FindingContext[Facts], facts: Overwritten) -> Words:
    name = code(facts.name)
    lost = context.line_of(context.flow.placed(context.found.also[0]))
    if lost == context.line:
        advice = _accumulated(context, facts.name, lost)
        return texts.OVERWRITTEN_IN_LOOP(
            name=name, source=context.the_source, lost=lost, advice=advice
        )
    return texts.OVERWRITTEN(name=name, source=context.the_source, lost=lost, line=context.line)


def _accumulated(context: FindingContext[Facts], name: str, lost: int | str | None) -> str:
    """Rewrite `h = f(x)` as `h += f(x)`, with an initial value before the loop."""
    statement = " ".join(context.code_of(context.flow.placed(context.found.also[0])).split())
    given, found, value = statement.partition(" = ")
    if not found or given != name:
        return texts.ACCUMULATE(name=code(name), line=lost)
    return texts.ACCUMULATE_STATEMENT(
        name=code(name),
        line=lost,
        statement=code(f"{name} += {value}"),
        start=code(f"{name} = 0.0"),
    )


def _unused_layer(context: FindingContext[Unconnected | Overwritten]) -> Words:
    facts = context.facts
    return _replaced(context, facts) if isinstance(facts, Overwritten) else _no_path(context, facts)


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


def _control_flow(context: FindingContext[ControlFlow]) -> Words:
    used, condition, source = context.facts.used, context.facts.condition, context.the_source
    if used is not None:
        return texts.BRANCH_DID_NOT_RUN(
            source=source, target=context.the_target, used=used, condition=condition
        )
    return texts.CONDITION_ONLY(source=source, line=context.line, switch=_switch(context))


control_flow = Cause(
    "control-flow",
    "MT305",
    says=_control_flow,
    confidence=Confidence.LIKELY,
    card=OnCard(texts.CONDITION_CARD, texts.CONDITION_LEAVING),
    zeros_meant=True,
    by_hand=texts.UNKNOWN_SWITCH,
)


def _switch(context: FindingContext[ControlFlow]) -> str:
    """Return the condition of an `if` as a sigmoid."""
    condition = re.match(r"(?:el)?if (.+?):", context.code_of(context.event))
    step = smooth_step(condition[1]) if condition else None
    if step is not None:
        return texts.SWITCH_OF_CONDITION(step=step)
    is_known = is_place(context.source)
    x = context.source if is_known else "x"
    x_is = "" if x == context.source else texts.X_IS_CONDITION
    return texts.SWITCH(x=x, x_is=x_is)
