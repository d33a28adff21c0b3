"""Causes of a source without a path to the target. Their texts are in `texts/absent.py`."""

import ast
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from minitape.explain.causes.cause import VARIES, Cause, Clue, Facts, FindingContext, OnCard
from minitape.explain.causes.rewriting import is_place, parsed, smooth_step, with_target, with_zeros
from minitape.explain.causes.texts import DiagnosticText, code, joined
from minitape.explain.causes.texts import absent as texts
from minitape.explain.causes.wording import usual
from minitape.explain.flow.program.functions import Override
from minitape.explain.flow.program.scopes import is_known_at
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.explain.report import Confidence, Evidence
from minitape.source_text import walk
from minitape.trace import events

_NO_PATH = OnCard(texts.NO_PATH_CARD, "")


@dataclass(frozen=True)
class IgnoredParameter:
    """A parameter that its function never reads, although a call passes a value computed from the source.

    Attributes:
        function: The name of the function.
        line: The line of its `def`.
        parameter: The parameter.
        argument: The argument, as the call writes it.
    """

    function: str
    line: int
    parameter: str
    argument: str


@dataclass(frozen=True)
class Rewritten:
    """An expression of the program, what to write instead, and its line."""

    written: str
    better: str
    line: int


@dataclass(frozen=True)
class UsedArray:
    """An array that was used instead of the source, which was created from it.

    Attributes:
        array: The name of the array.
        uses: The expressions that use it, each with the source instead.
    """

    array: str
    uses: tuple[Rewritten, ...]


@dataclass(frozen=True, kw_only=True)
class Unconnected(Facts):
    """A target that does not depend on the source, and what is known about the uses of the source.

    Attributes:
        shape_only: Whether the op at the finding uses only the shape of the source.
        method: A method of a subclass that does not use the source, although the method that it overrides does.
        uncalled: The models whose weights are requested and that were not called while the tape recorded.
        end: The event of the op with the last value that was computed from the source.
        ignored: The parameter that received the value and that its function does not read.
        own: The attribute (`self.bias`) that the function at the finding should have used.
        array: The array that was used instead of the source.
        used: Whether something was computed from the source.
        number: The number of a Keras history from which the program made the target, such as `logs["loss"]`.
        left: The event by which the value of the source left TensorFlow, if it did.
        leaves: The variables and named constants from which the target was computed.
    """

    shape_only: bool = False
    method: Override | None = None
    uncalled: tuple[str, ...] = ()
    end: int | None = None
    ignored: IgnoredParameter | None = None
    own: str | None = None
    array: UsedArray | None = None
    used: bool = False
    number: str | None = None
    left: int | None = None
    leaves: tuple[int, ...] = ()


def _unconnected(context: FindingContext[Unconnected]) -> DiagnosticText:
    return _no_path(context, context.facts)


def _no_path(context: FindingContext[Facts], facts: Unconnected) -> DiagnosticText:
    source, target = context.the_source, context.the_target
    computed_from = _computed_from(context, facts)
    if facts.shape_only:
        return texts.SHAPE_ONLY(
            source=source, target=target, expr=context.the_expr, line=context.line
        )
    if facts.method is not None:
        return _overridden(context, facts.method, computed_from)
    if facts.number is not None:
        return texts.FROM_NUMBER(
            number=code(facts.number),
            line=context.place_line,
            source=source,
            target=target,
            advice=_loss_again(context, facts.uncalled[0]),
        )
    if len(facts.uncalled) == 1 and is_place(facts.uncalled[0]) and "/" in context.source:
        return texts.NOT_CALLED(
            model=code(facts.uncalled[0]),
            source=source,
            target=target,
            computed_from=computed_from,
            where_computed=_where_computed(context),
        )
    if facts.array is not None:
        uses = [
            texts.ARRAY_INSTEAD(better=code(use.better), written=code(use.written), line=use.line)
            for use in facts.array.uses
        ]
        return texts.ARRAY_USED(
            array=code(facts.array.array),
            written=code(facts.array.uses[0].written),
            line=context.place_line,
            uses=joined(uses),
            source=source,
            target=target,
        )
    if facts.ignored is not None:
        ignored = facts.ignored
        return texts.IGNORED_PARAMETER(
            function=code(ignored.function),
            function_line=ignored.line,
            parameter=code(ignored.parameter),
            argument=code(ignored.argument),
            line=context.place_line,
            source=source,
            target=target,
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
            zeros=_zeros(context),
        )
    return texts.UNCONNECTED(
        source=source,
        target=target,
        use=_use(context, facts),
        computed_from=computed_from,
        where_computed=_where_computed(context),
        zeros=_zeros(context),
    )


def _loss_again(context: FindingContext[Any], model: str) -> str:
    """Return the statement that computes the compiled loss of a model, if the program has its data under the usual names."""
    place = context.place
    program = "" if place is None else context.flow.texts.get(place.file, "")
    for owner in ("self.", ""):
        x, y = f"{owner}x", f"{owner}y"
        if all(is_known_at(program, context.place_line, each) for each in (x, y, model)):
            statement = f"{context.target} = {model}.compute_loss(y={y}, y_pred={model}({x}))"
            return texts.COMPUTE_LOSS(statement=code(statement), line=context.place_line)
    return texts.CALL_THE_MODEL(model=code(model))


def _where_computed(context: FindingContext[Any]) -> str:
    """Return where the target is computed: the line with its statement, if that statement gives the target its name."""
    target = context.call.event.targets[0] if context.call.event.targets else None
    made = None if target is None else context.flow.op_behind(target)
    statement = "" if made is None else " ".join(context.code_of(made).split())
    if made is None or not re.match(rf"{re.escape(context.target)} [-+*/@]?= ", statement):
        return texts.WHERE_COMPUTED(target=context.the_target)
    return texts.ON_LINE_OF_TARGET(
        line=context.line_of(made), target=context.the_target, statement=code(statement)
    )


def _zeros(context: FindingContext[Any]) -> str:
    """Return the gradient call that returns zeros in place of None."""
    return code(with_zeros(context.call_text) or texts.REQUEST_ZEROS)


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


def _overridden(
    context: FindingContext[Facts], method: Override, computed_from: str
) -> DiagnosticText:
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


def _dead_end(
    context: FindingContext[Facts], end: events.OpEvent, computed_from: str
) -> DiagnosticText:
    """Return the words for a last value computed from the source that is never used, and where it should have been used, if
    known.
    """
    name, line = context.result_of(end), context.line_of(end)
    assigned = _as_assignment(context, end)
    where = "" if end.target_name else texts.UNNAMED
    if line != context.place_line:
        where = texts.LOOK_AT_LINE(place=context.place_line)
    given = (
        {}
        if name == context.target
        else {"where_computed": _where_computed(context), "or_request": _or_request(context, name)}
    )
    if assigned is not None:
        return texts.DEAD_END_OF_STATEMENT(
            name=code(name),
            line=line,
            source=context.the_source,
            target=context.the_target,
            computed_from=computed_from,
            statement=code(assigned),
        )
    entry = texts.DEAD_END if given else texts.DEAD_END_OF_SAME_NAME
    return entry(
        **given,
        name=code(name),
        line=line,
        source=context.the_source,
        target=context.the_target,
        where=where,
        computed_from=computed_from,
    )


def _as_assignment(context: FindingContext[Facts], end: events.OpEvent) -> str | None:
    """Return a statement that is an expression alone, as an assignment: `layer(h)` → `h = layer(h)`."""
    site = context.flow.innermost(end)
    node = None if site is None else parsed(site.code)
    if (
        site is None
        or node is None
        or " ".join(site.code.split()) != " ".join(site.expression.split())
    ):
        return None
    match node:
        case ast.Call(func=called, args=[ast.Name(id=name)], keywords=[]):
            is_layer = not ast.unparse(called).startswith("tf.")
            return f"{name} = {ast.unparse(node)}" if is_layer else None
        case ast.BinOp(left=ast.Name(id=name)) if name == context.target:
            return f"{name} = {ast.unparse(node)}"
    return None


def _or_request(context: FindingContext[Facts], name: str) -> str:
    """Return the advice to request the gradient of a value, if the gradient call can name it."""
    call = with_target(context.call_text, name)
    at = context.call.event.at
    program = "" if at is None else context.flow.texts.get(at.file, "")
    is_known = at is not None and is_known_at(program, at.line, name)
    if not name.isidentifier() or call == context.call_text or not is_known:
        return ""
    return texts.OR_REQUEST(call=code(call))


unconnected = Cause(
    "unconnected",
    "MT304",
    says=_unconnected,
    card=_NO_PATH,
    zeros_meant=True,
    by_hand=texts.UNKNOWN_USE,
    usual=usual.all_states,
)


def _swapped(context: FindingContext[Facts]) -> DiagnosticText:
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


def _overwritten(context: FindingContext[Overwritten]) -> DiagnosticText:
    return _replaced(context, context.facts)


def _replaced(context: FindingContext[Facts], facts: Overwritten) -> DiagnosticText:
    name = code(facts.name)
    if facts.partial:
        return texts.ONLY_LAST_ITERATION(
            name=name,
            target=context.the_target,
            line=context.place_line,
            advice=_summed(context, facts.name),
        )
    lost = context.line_of(context.flow.placed(context.found.also[0]))
    if lost == context.line:
        advice = _accumulated(context, facts.name, lost)
        return texts.OVERWRITTEN_IN_LOOP(
            name=name, source=context.the_source, lost=lost, advice=advice
        )
    return texts.OVERWRITTEN(name=name, source=context.the_source, lost=lost, line=context.line)


def _summed(context: FindingContext[Facts], name: str) -> str:
    """Rewrite `loss = f(x)` as `loss += f(x)`."""
    site = context.place_site
    statement = "" if site is None else " ".join(site.code.split())
    given, found, value = statement.partition(" = ")
    is_plain = found and given == name
    return texts.ADD_UP(statement=code(f"{name} += {value if is_plain else '...'}"))


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


def _unused_layer(context: FindingContext[Unconnected | Overwritten]) -> DiagnosticText:
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
    usual=usual.added_losses,
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


def _control_flow(context: FindingContext[ControlFlow]) -> DiagnosticText:
    used, condition, source = context.facts.used, context.facts.condition, context.the_source
    if used is not None:
        return texts.BRANCH_DID_NOT_RUN(
            source=source,
            target=context.the_target,
            used=used,
            condition=condition,
            written=_condition(context, condition),
            zeros=_zeros(context),
        )
    return texts.CONDITION_ONLY(source=source, line=context.line, switch=_switch(context))


def _condition(context: FindingContext[ControlFlow], line: int | None) -> str:
    """Return the condition on a line, as the program writes it; empty if the line has none."""
    at = context.call.event.at if context.place is None else context.place
    program = "" if at is None else context.flow.texts.get(at.file, "")
    condition = _condition_on(program, line)
    return f" {code(condition)}" if condition else ""


@lru_cache(maxsize=64)  # called with the same line for each source
def _condition_on(program: str, line: int | None) -> str:
    for node in walk(tree_or_empty(program)):
        if isinstance(node, ast.If | ast.While | ast.IfExp) and node.test.lineno == line:
            return ast.unparse(node.test)
    return ""


# The program shows which branch would have used the source; a name that was assigned twice shows less.
_BRANCH = Clue(
    "a branch that did not run reads the source",
    1,
    lambda case: isinstance(case.found.facts, ControlFlow) and case.found.facts.used is not None,
)
control_flow = Cause(
    "control-flow",
    "MT305",
    says=_control_flow,
    confidence=Confidence.LIKELY,
    card=OnCard(texts.CONDITION_CARD, texts.CONDITION_LEAVING),
    zeros_meant=True,
    by_hand=texts.UNKNOWN_SWITCH,
    clues=(VARIES, _BRANCH),
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
