"""The texts for a `stop_gradient` on the path: where else its value is used, and for which side it was meant."""

import ast
from dataclasses import dataclass

from minitape.explain.causes.cause import Facts, FindingContext
from minitape.explain.causes.rewriting import (
    in_brackets,
    operands,
    parsed,
    swapped,
    with_other_side_stopped,
)
from minitape.explain.causes.texts import DiagnosticText, code, joined, lines
from minitape.explain.causes.texts import cuts as texts
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.text import parameters
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.trace import events


@dataclass(frozen=True)
class Exchanged:
    """A call that passes its arguments in the wrong order to a function that stops the gradient of one of them.

    Attributes:
        function: The function as the call writes it.
        parameter: The parameter whose gradient the function stops.
        stopped: The expression inside the function that `stop_gradient` is applied to.
        value: The expression that the call passes for the parameter.
        better: The call with its arguments swapped.
    """

    function: str
    parameter: str
    stopped: str
    value: str
    better: str


@dataclass(frozen=True, kw_only=True)
class Stopped(Facts):
    """A `stop_gradient` on the path.

    Attributes:
        exchanged: The call that passes its arguments in the wrong order, where there is one.
        term: The term of the target that no requested gradient contains because of the stop, where there is one.
    """

    exchanged: Exchanged | None = None
    term: int | None = None


def reported(context: FindingContext[Stopped]) -> DiagnosticText:
    """Return the texts for a `stop_gradient` on the path."""
    line, source = context.line, context.the_source
    if context.facts.term is not None:
        return _term(context, context.facts.term)
    if context.facts.by_design:
        return texts.STOPPED_BY_DESIGN(
            call=context.the_expr, line=line, source=source, target=context.the_target
        )
    swap = context.facts.exchanged
    if swap is not None:
        return texts.STOPPED_WRONG_ARGUMENT(
            function=code(swap.function),
            parameter=code(swap.parameter),
            stop=code(f"tf.stop_gradient({swap.stopped})"),
            line=line,
            call_line=context.place_line,
            value=code(swap.value),
            source=source,
            better=code(swap.better),
        )
    uses, cut_there = _uses_of_stopped(context)
    fix = (
        _others_only(context)
        or _other_argument(context)
        or _other_side(context)
        or cut_there
        or _straight_through(context)
        or texts.REMOVE_STOP(source=source)
    )
    return texts.STOPPED(line=line, source=source, uses=uses, fix=fix)


def _others_only(context: FindingContext[Stopped]) -> str | None:
    """Return the advice for a statement that stops several values at once, such as `p, z = map(tf.stop_gradient, (p, z))`: stop
    all but the one on the path of the most sources.
    """
    site, flow = context.place_site, context.flow
    found = None if site is None else _stopped_together(site.code)
    if site is None or found is None:
        return None
    names, values, stop = found
    stops = [
        op
        for op in flow.ops.values()
        if op.name == "StopGradient" and op.i < context.call.event.i and op.at is not None
        if op.at[:2] == site.at[:2]
    ]
    if not stops or len(stops) % len(values):
        return None
    sources = {each.value for each in context.call.event.sources}
    reached = [
        len(sources & flow.upstream([op.inputs[0].value for op in stops[at :: len(values)]]))
        for at in range(len(values))
    ]
    free = reached.index(max(reached))
    kept = [
        values[at] if at == free else f"{stop}({values[at]})"
        for at in range(len(values))
        if at != free or names[at] != values[at]
    ]
    left = [names[at] for at in range(len(names)) if at != free or names[at] != values[at]]
    statement = f"{', '.join(left)} = {', '.join(kept)}"
    return texts.STOP_THE_OTHERS(
        statement=code(statement), line=context.place_line, kept=code(values[free])
    )


def _stopped_together(statement: str) -> tuple[list[str], list[str], str] | None:
    """Return the names that a statement assigns, the values whose gradient it stops, and the function that stops them."""
    match tree_or_empty(statement).body:
        case [ast.Assign(targets=[ast.Tuple(elts=names)], value=value)]:
            pass
        case _:
            return None
    match value:
        case ast.Call(args=[stop, ast.Tuple(elts=given) | ast.List(elts=given)], keywords=[]) if (
            ast.unparse(value.func) in ("map", "tf.nest.map_structure")
        ):
            pass
        case ast.ListComp(
            elt=ast.Call(func=stop, args=[ast.Name(id=each)]),
            generators=[
                ast.comprehension(
                    target=ast.Name(id=item), iter=ast.Tuple(elts=given) | ast.List(elts=given)
                )
            ],
        ) if each == item:
            pass
        case ast.Tuple(elts=[ast.Call(func=stop), *_] as calls) if all(
            isinstance(call, ast.Call)
            and ast.unparse(call.func) == ast.unparse(stop)
            and len(call.args) == 1
            for call in calls
        ):
            given = [call.args[0] for call in calls if isinstance(call, ast.Call)]
        case _:
            return None
    if not ast.unparse(stop).endswith("stop_gradient") or len(given) != len(names) or not given:
        return None
    return list(map(ast.unparse, names)), list(map(ast.unparse, given)), ast.unparse(stop)


def _straight_through(context: FindingContext[Stopped]) -> str | None:
    """Return a straight-through estimator whose last sum is outside `stop_gradient`; None if there is no such sum in it.

    Without `stop_gradient`, the gradients of `y` in `hard - y + y` would cancel.
    """
    match parsed(context.whole_expr):
        case ast.Call(func=func, args=[ast.BinOp(op=ast.Add() | ast.Sub()) as inside], keywords=[]):
            stop = ast.unparse(func)
        case _:
            return None
    match inside:
        case ast.BinOp(ast.BinOp(hard, ast.Sub(), y), ast.Add(), again):
            pattern = "{stop}({hard} - {y}) + {y}"
        case ast.BinOp(again, ast.Add(), ast.BinOp(hard, ast.Sub(), y)):
            pattern = "{y} + {stop}({hard} - {y})"
        case ast.BinOp(ast.BinOp(again, ast.Add(), hard), ast.Sub(), y):
            pattern = "{y} + {stop}({hard} - {y})"
        case _:
            return None
    if ast.unparse(y) != ast.unparse(again):
        return None
    better = pattern.format(stop=stop, hard=ast.unparse(hard), y=in_brackets(ast.unparse(y)))
    return texts.USE_INSTEAD(better=code(better), written=context.the_whole_expr)


def _uses_of_stopped(context: FindingContext[Stopped]) -> tuple[str, str | None]:
    """Return the sentence on the uses of a stopped value that has a name, and the advice to stop the gradient at some of them
    only.
    """
    flow, stop = context.flow, context.event
    given = operands(context.whole_expr)
    if not isinstance(stop, events.OpEvent) or stop.target_name is None or len(given) != 1:
        return "", None
    name, line = stop.target_name, context.place_line
    ways: dict[int, bool] = {}
    for edge in flow.out_of.get(stop.outputs[0].id, ()):
        use = flow.event(edge.event)
        if isinstance(use, events.OpEvent) and use.at is not None and use.at.line != line:
            leads = not flow.downstream([edge.end], context.call.event.i).isdisjoint(
                context.call.ends
            )
            ways[use.at.line] = ways.get(use.at.line, False) or leads
    lost = [each for each, leads in sorted(ways.items()) if leads]
    others = [each for each, leads in sorted(ways.items()) if not leads]
    if not lost or not others:
        return "", None
    there = lines(others)
    uses = texts.STOPPED_USES(
        name=code(name), here=lines(lost), target=context.the_target, there=there
    )
    fix = texts.STOP_ELSEWHERE(
        statement=code(f"{name} = {given[0]}"),
        line=line,
        stop=code(f"tf.stop_gradient({name})"),
        name=code(name),
        there=there,
    )
    return uses, fix


def _other_side(context: FindingContext[Stopped]) -> str | None:
    """Return the statement with its sides swapped, if the gradient of one side of a difference or a loss is stopped and the other
    side has variables.
    """
    flow, stop, site = context.flow, context.event, context.place_site
    if not isinstance(stop, events.OpEvent) or site is None:
        return None
    uses = (flow.event(edge.event) for edge in flow.out_of.get(stop.outputs[0].id, ()))
    first = next((each for each in uses if isinstance(each, events.OpEvent)), None)
    if first is None or first.name not in ("Sub", "SquaredDifference"):
        return None
    others = [each.value for each in first.inputs if each.value != stop.outputs[0].id]
    if not flow.upstream(others, context.call.event.i) & set(flow.variables):
        return None
    better = with_other_side_stopped(site.code, context.whole_expr)
    if better is None:
        return None
    return texts.STOP_OTHER_SIDE(better=code(better), line=context.place_line)


def _other_argument(context: FindingContext[Stopped]) -> str | None:
    """Return the advice for a function that stops the gradient of one of its two parameters: a call may pass them in the wrong
    order.
    """
    stack, stopped = context.event.stack, operands(context.whole_expr)
    if len(stack) < 2 or len(stopped) != 1:
        return None
    site = context.flow.sites[stack[-1]]
    function = site.function.rpartition(".")[2]
    names = parameters(context.flow.texts.get(site.at.file, ""), function)
    calls = context.flow.once_for_all(_calls_of_helpers)[stack[-1]]
    swaps = dict.fromkeys(filter(None, (swapped(text) for text in calls)))
    if len(names) != 2 or stopped[0] not in names or not swaps:
        return None
    numbers = sorted(line for each in calls.values() for line in each)
    advice = texts.SWAP_IN_ONE_CALL if len(numbers) > 1 else texts.SWAP_IN_A_CALL
    return advice(
        function=code(function),
        parameter=code(stopped[0]),
        calls=joined(list(map(code, calls))),
        lines=lines(numbers),
        better=" or ".join(map(code, swaps)),
        source=context.the_source,
    )


def _calls_of_helpers(flow: FlowGraph) -> dict[int, dict[str, list[int]]]:
    """Return, for each `stop_gradient` inside a function, the calls of that function that ran, each with its lines."""
    calls: dict[int, dict[str, list[int]]] = {}
    for op in flow.ops.values():
        if op.name == "StopGradient" and len(op.stack) > 1:
            caller = flow.sites[op.stack[-2]]
            known = calls.setdefault(op.stack[-1], {}).setdefault(caller.expression, [])
            if caller.at.line not in known:
                known.append(caller.at.line)
    return calls


def _term(context: FindingContext[Stopped], term: int) -> DiagnosticText:
    """Return the texts for a stop that cuts off a whole term of the target."""
    given = operands(context.whole_expr)[:1]
    advice = texts.REMOVE_STOP(source=context.the_source)
    if given:
        better = texts.USE_INSTEAD(better=code(given[0]), written=context.the_whole_expr)
        advice = texts.ON_LINE(fix=better, line=context.line)
    return texts.STOPPED_TERM(
        term=context.called(term),
        source=context.the_source,
        target=context.the_target,
        line=context.line,
        advice=advice,
        incomplete=context.incomplete,
    )
