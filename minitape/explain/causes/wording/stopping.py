"""What is said of a stop_gradient on the way: where else its value is used, and which side it was meant for."""

from typing import Any

from minitape.explain.causes.cause import Scene
from minitape.explain.causes.rewriting import operands, swapped, with_other_side_stopped
from minitape.explain.causes.texts import Words
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.program.text import parameters
from minitape.trace import events


def told(scene: Scene[Any]) -> Words:
    """The words of a cut that the program asks for."""
    if scene.facts.get("by_design"):
        return Words(
            "straight through by design: the gradient goes to the other summand",
            f"{scene.expr} in line {scene.line} is the stop of z + tf.stop_gradient(q - z), which has the value of q and the "
            f"slope of z. So nothing goes back to {scene.source} here, and nothing should.",
            f"leave line {scene.line} as it is; if {scene.source} should learn, it needs a term of its own in {scene.target}",
        )
    if "handed" in scene.facts:
        return _wrong_way_round(scene)
    uses, cut_there = _uses_of_stopped(scene)
    return Words(
        "stop_gradient cuts the path here",
        f"tf.stop_gradient in line {scene.line} cuts off everything before it, {scene.source} included. "
        f"That is its purpose.{uses}",
        _other_argument(scene)
        or _other_side(scene)
        or cut_there
        or f"leave stop_gradient away if {scene.source} should learn",
    )


def _wrong_way_round(scene: Scene[Any]) -> Words:
    """What a call hands over for a parameter that is held back further in."""
    handed, stopped = scene.facts["handed"], scene.facts["stopped"]
    held = f"{handed.function} holds back what it gets as {handed.parameters[0]}"
    return Words(
        f"the wrong way round: {held}",
        f"tf.stop_gradient({stopped}) in line {scene.line} cuts off everything before it. That is its purpose: {held}. But line "
        f"{scene.place_line} hands over {handed.texts[0]} for it, which comes from {scene.source}, and nothing is left to learn.",
        f"swap the arguments: {scene.facts['better']}. Leave stop_gradient away only if both should learn",
    )


def _uses_of_stopped(scene: Scene[Any]) -> tuple[str, str | None]:
    """Where a stopped value has a name that is read in several lines: which, and how to cut in one of them only."""
    flow, stop = scene.flow, scene.event
    given = operands(scene.whole_expr)
    if not isinstance(stop, events.Op) or stop.target_name is None or len(given) != 1:
        return "", None
    name, line = stop.target_name, scene.place_line
    ways: dict[int, bool] = {}
    for edge in flow.out_of.get(stop.outputs[0].id, ()):
        use = flow.event(edge.event)
        if isinstance(use, events.Op) and use.at is not None and use.at.line != line:
            leads = not flow.downstream([edge.end], scene.call.event.i).isdisjoint(scene.call.ends)
            ways[use.at.line] = ways.get(use.at.line, False) or leads
    lost = [str(each) for each, leads in sorted(ways.items()) if leads]
    others = [str(each) for each, leads in sorted(ways.items()) if not leads]
    if not lost or not others:
        return "", None
    here, there = " and ".join(lost), " and ".join(others)
    return (
        f" {name} is used in line {here}, on the way to {scene.target}, and in line {there}, which has nothing to do with it.",
        f"cut only where it is meant: {name} = {given[0]} (line {line}), and tf.stop_gradient({name}) in place of {name} "
        f"in line {there}",
    )


def _other_side(scene: Scene[Any]) -> str | None:
    """Where one side of a difference or a loss is stopped, and the other one was computed from variables: the sides exchanged."""
    flow, stop, site = scene.flow, scene.event, scene.place_site
    if not isinstance(stop, events.Op) or site is None:
        return None
    uses = (flow.event(edge.event) for edge in flow.out_of.get(stop.outputs[0].id, ()))
    first = next((each for each in uses if isinstance(each, events.Op)), None)
    if first is None or first.name not in ("Sub", "SquaredDifference"):
        return None
    others = [each.value for each in first.inputs if each.value != stop.outputs[0].id]
    if not flow.upstream(others, scene.call.event.i) & set(flow.variables):
        return None
    better = with_other_side_stopped(site.code, scene.whole_expr)
    if better is None:
        return None
    return f"if it is the other side that should be held back: {better} (line {scene.place_line}); else leave stop_gradient away"


def _other_argument(scene: Scene[Any]) -> str | None:
    """Where a helper stops one of its two arguments: perhaps a call of it has them the wrong way round."""
    stack, stopped = scene.event.stack, operands(scene.whole_expr)
    if len(stack) < 2 or len(stopped) != 1:
        return None
    site = scene.flow.sites[stack[-1]]
    function = site.function.rpartition(".")[2]
    names = parameters(scene.flow.texts.get(site.at.file, ""), function)
    calls = scene.flow.once_for_all(_calls_of_helpers)[stack[-1]]
    swaps = dict.fromkeys(filter(None, (swapped(text) for text in calls)))
    if len(names) != 2 or stopped[0] not in names or not swaps:
        return None
    numbers = sorted(line for lines in calls.values() for line in lines)
    many = len(numbers) > 1
    lines = f"line{'s' if many else ''} {' and '.join(map(str, numbers))}"
    which = f"one of the {len(numbers)} calls" if many else "the call"
    return (
        f"{function} holds back what it gets as {stopped[0]}. In {which} ({', '.join(calls)} in {lines}) swap the arguments: "
        f"{' or '.join(swaps)}, for {scene.source} to learn there. Leave stop_gradient away only if both should learn"
    )


def _calls_of_helpers(flow: Flow) -> dict[int, dict[str, list[int]]]:
    """For each stop_gradient inside a function the calls of that function that ran, each with its lines."""
    calls: dict[int, dict[str, list[int]]] = {}
    for op in flow.ops.values():
        if op.name == "StopGradient" and len(op.stack) > 1:
            caller = flow.sites[op.stack[-2]]
            lines = calls.setdefault(op.stack[-1], {}).setdefault(caller.expression, [])
            if caller.at.line not in lines:
                lines.append(caller.at.line)
    return calls
