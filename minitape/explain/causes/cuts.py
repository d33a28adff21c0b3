"""Causes on the way: a step that every tape sees and that carries nothing back."""

import ast
import re
from dataclasses import replace

from minitape.explain.causes.cause import Cause, OnCard, Scene, Words
from minitape.explain.causes.rewriting import (
    WIDTH,
    in_tensorflow,
    is_place,
    operands,
    parsed,
    smooth_step,
    twin,
    without_conversion,
)
from minitape.explain.causes.wording import stopping, storing
from minitape.explain.causes.wording.copies import rows_of
from minitape.explain.causes.wording.hits import loss_for
from minitape.explain.flow.calls import Call
from minitape.explain.flow.graph import Flow
from minitape.explain.report import Evidence
from minitape.trace import events

_NAMED = 3  # of several values that left together
_LEFT = OnCard("left the tape")
_STOPPED = OnCard("stopped here", "no slope from here back", is_op=True)


def _numpy_roundtrip(scene: Scene) -> Words:
    called = scene.whole_expr.partition("(")[0].strip().replace("numpy.", "np.", 1)
    stored = _stored(scene)
    if called.startswith("np."):
        leaving = f"{called} is NumPy's: it takes the numbers out of {_gone(scene)}"
        fix = _in_tensorflow(scene, called)
    elif stored:
        leaving = f"line {scene.line} ({scene.code_of(scene.event)}) stores the number in the NumPy array {stored[1]}"
        fix = _collected(scene, stored)
    else:
        leaving = f"{scene.expr or 'a call'} in line {scene.line} hands the numbers of {_gone(scene)} to NumPy"
        fix = "use tf. functions, on the tensor itself"
        if scene.facts["via"] == "numpy":
            fix = f"{_as_tensor(scene) or 'leave .numpy() away'}, and use tf. functions on the tensor itself"
    others = _other_exits(scene)
    if others:
        leaving += f"; so {'do' if len(others) > 1 else 'does'} " + " and ".join(others)
        fix = " and ".join([f"{fix} (line {scene.line})", *others.values()])
    return Words("here the value leaves the tape for NumPy", f"{leaving}. {_lost(scene)}", fix)


numpy_roundtrip = Cause(
    "numpy-roundtrip",
    "MT201",
    says=_numpy_roundtrip,
    evidence=Evidence.MARK,
    card=_LEFT,
    is_slip=True,
)


def _exits_before(scene: Scene, back: events.Reentry) -> list[events.Export]:
    """The exits behind a constant that came back; all sources of a call that are lost there share them."""
    known = scene.flow.once(_exits_of_call, scene.call)
    if back.i not in known:
        opened = scene.tape_event
        known[back.i] = _exits_since(scene.flow, 0 if opened is None else opened.i, back)
    return known[back.i]


def _exits_of_call(_: Flow, __: Call) -> dict[int, list[events.Export]]:
    """Found so far, by the event that came back."""
    return {}


def _exits_since(flow: Flow, since: int, back: events.Reentry) -> list[events.Export]:
    """The exits behind a constant that came back, and those behind the values that left there, since the tape opened."""
    exits = {number: flow.exits[number] for number in back.exports}
    waiting = [node for exit in exits.values() for node in exit.nodes]
    seen = set(waiting)
    while waiting:
        for edge in flow.into.get(waiting.pop(), ()):
            if edge.event < since:
                continue
            earlier = flow.event(edge.event)
            if isinstance(earlier, events.Reentry):
                exits |= {number: flow.exits[number] for number in earlier.exports}
            if edge.start not in seen:
                seen.add(edge.start)
                waiting.append(edge.start)
    return [exits[number].event for number in sorted(exits)]


def _other_exits(scene: Scene) -> dict[str, str]:
    """The other calls of NumPy through which a value reached the same constant: each with what to write instead."""
    back = scene.flow.event(scene.found.also[0]) if scene.found.also else None
    if not isinstance(back, events.Reentry) or not scene.event.stack:
        return {}
    exits = _exits_before(scene, back)
    sites = dict.fromkeys(each.stack[-1] for each in exits if each.stack)
    others = {}
    for number in sites:
        site = scene.flow.sites[number]
        text = " ".join(site.expression.split())
        if number == scene.event.stack[-1] or not text.startswith(("np.", "numpy.")):
            continue
        line = site.at.line
        better = in_tensorflow(text)
        called = text.partition("(")[0]
        fix = (
            f"{better} instead of {text}"
            if better
            else f"{twin(called) or 'tf. functions'} instead of {called}"
        )
        others[f"{called} in line {line}"] = f"{fix} (line {line})"
    return others


def _in_tensorflow(scene: Scene, called: str) -> str:
    if called in ("np.array", "np.asarray"):
        return _kept_together(scene, called)
    left = scene.event.values[:1] if isinstance(scene.event, events.Export) else []
    rank = max((len(scene.flow.numbers[each].shape) for each in left), default=1)
    better = in_tensorflow(scene.whole_expr, rank)
    if better is not None:
        return f"{better} instead of {scene.whole_expr}"
    known = twin(called)
    return f"use {known or 'tf. functions'}, on the tensor itself"


def _stored(scene: Scene) -> re.Match[str] | None:
    """The statement that puts the number into an array of NumPy's; a dict or a list would take the tensor itself."""
    found = re.match(r"([\w.]+)\[.*\] [-+*/]?= ", scene.code_of(scene.event))
    if found is None or scene.facts["via"] != "numpy":
        return found
    site = scene.flow.innermost(scene.event)
    program = "" if site is None else scene.flow.texts.get(site.at.file, "")
    is_array = re.search(rf"{re.escape(found[1])} = (np|numpy)\.", program)
    return found if is_array else None


def _collected(scene: Scene, stored: re.Match[str]) -> str:
    """A list of tensors in place of the array that was filled with their numbers."""
    value = scene.code_of(scene.event)[stored.end() :].removesuffix(".numpy()")
    added = f": values.append({value}) in line {scene.line}" if stored[0].endswith("] = ") else ""
    return (
        f"collect the tensors in a list, values = []{added}, and make one tensor of it after the loop: "
        f"{stored[1]} = tf.stack(values)"
    )


def _kept_together(scene: Scene, called: str) -> str:
    """What to write for an array that was made of tensors, or of one."""
    given = operands(scene.whole_expr)[:1]
    opened = scene.tape_event
    if not given or given[0] == _gone(scene):
        return f"leave {called} away: tf. functions take the tensor itself"
    if opened is not None and scene.event.i < opened.i:
        return f"{given[0]} instead of {scene.whole_expr}: a list keeps what is in it, and is read inside the tape"
    return f"tf.stack({given[0]}) instead of {scene.whole_expr}"


def _as_tensor(scene: Scene) -> str | None:
    """The line with the tensor left as it is."""
    better = without_conversion(scene.code_of(scene.event), scene.whole_expr)
    return None if better is None else f"{better} (line {scene.line})"


def _dataset(scene: Scene) -> Words:
    method = scene.facts["via"].removeprefix("tf.data.")
    if method.startswith("Dataset.from_t"):
        done = f"{method} in line {scene.line} takes the numbers of {_gone(scene)} into a dataset"
        rows = rows_of(parsed(scene.whole_expr))
        given = "" if rows is None else f": {ast.unparse(rows)} gives them"
        fix = f"loop over the tensor itself, or its rows{given}"
    else:
        done = f"a function given to {method} uses {_gone(scene)}"
        if method.endswith("generator"):
            done = f"a generator yields {_gone(scene)}"
        done += ", and what a dataset computes is data"
        line = _line_that_computed(scene)
        what = f"with {_gone(scene)}" if line is None else f"{_gone(scene)}, as line {line} does,"
        fix = f"compute {what} in the loop over the dataset, inside the tape"
    label = (
        "here it comes out of a dataset"
        if scene.found.at is None
        else "computed in a dataset: that is data"
    )
    return Words(label, f"{done}. {_lost(scene)}", fix)


dataset = Cause(
    "dataset",
    "MT201",
    says=_dataset,
    evidence=Evidence.MARK,
    card=_LEFT,
    is_slip=True,
)


def _python_scalar(scene: Scene) -> Words:
    called = scene.whole_expr.partition("(")[0].strip()
    fix = f"keep the tensor: {_as_tensor(scene) or 'leave the conversion away'}, and convert only what you print"
    if called == "int":
        fix = _with_a_slope(scene)
    if called.startswith("math."):
        better = in_tensorflow(scene.whole_expr)
        fix = (
            f"{better} instead of {scene.whole_expr}" if better else "use the tf. function instead"
        )
    kind = "text" if scene.facts["via"] == "format" else "a plain Python number"
    return Words(
        f"here the tensor becomes {kind}",
        f"{scene.expr} in line {scene.line} makes {kind} of {_gone(scene)}. {_lost(scene)}",
        fix,
    )


def _with_a_slope(scene: Scene) -> str:
    """What to write instead of `int(x)`."""
    x = (operands(scene.whole_expr) or ["x"])[0]
    where = "" if is_place(x) else f", with v = {x}"
    v = x if is_place(x) else "v"
    return (
        f"a whole number has no slope: compute with {x} itself, or straight through: "
        f"{v} + tf.stop_gradient(tf.floor({v}) - {v}){where}"
    )


python_scalar = Cause(
    "python-scalar", "MT201", says=_python_scalar, evidence=Evidence.MARK, card=_LEFT, is_slip=True
)


def _gone(scene: Scene) -> str:
    """What left the tape in this place for what came back, as the user calls it."""
    back = scene.flow.event(scene.found.also[0]) if scene.found.also else None
    exits = [scene.event] if isinstance(scene.event, events.Export) else []
    if exits and isinstance(back, events.Reentry):
        together = (scene.flow.exits[number].event for number in back.exports)
        exits = [each for each in together if each.stack == scene.event.stack] or exits
    names = dict.fromkeys(scene.name_of(value) for exit in exits for value in exit.values)
    first, more = list(names)[:_NAMED], len(names) - _NAMED
    return " and ".join(first) + (f" and {more} more" if more > 0 else "") or "a tensor"


def _line_that_computed(scene: Scene) -> int | str | None:
    """Where the one tensor was computed that left the tape; None if it is a variable, or there are several."""
    left = scene.event.values if isinstance(scene.event, events.Export) else []
    made = scene.flow.op_behind(left[0]) if len(left) == 1 else None
    return None if made is None else scene.line_of(made)


def _lost(scene: Scene) -> str:
    return (
        f"A tape follows tensors only: {_back(scene)} is a constant, "
        f"and a constant does not depend on {scene.source}.{scene.share}"
    )


def _back(scene: Scene) -> str:
    """What came back from NumPy or Python, and the line in which it is met again."""
    back = scene.flow.placed(scene.found.also[0]) if scene.found.also else None
    line = scene.line_of(back)
    if back is None or line is None or line == scene.place_line:
        return "what comes back"
    site = scene.flow.innermost(scene.event)
    helper = "" if site is None else site.function.rpartition(".")[2]
    if helper.isidentifier() and f"{helper}(" in scene.code_of(back):
        return f"what {helper} gives back in line {line}"
    return f"what comes back in line {line}"


def _host_callback(scene: Scene) -> Words:
    return Words(
        "NumPy runs inside here: the tape sees only its result",
        f"{scene.expr} in line {scene.line} computes with NumPy, out of the tape's sight.",
        "use tf. functions; or tf.py_function with tf. functions inside; or give it a tf.custom_gradient",
    )


host_callback = Cause(
    "host-callback",
    "MT208",
    says=_host_callback,
    card=_LEFT,
    is_slip=True,
    by_hand="what NumPy computes inside the function would have to be written anew",
)


_SCORES = "use the scores themselves, or a cross entropy on them: tf.nn.softmax has a slope, their places have none"
_DRAWN = "sample, and weight the log-probability of the sample by its reward"
_SOFT = {
    "FloorDiv": "divide with / where the slope matters",
    "Multinomial": _DRAWN,
    "OneHot": _SCORES,
    "Range": "tf.linspace has a gradient for its ends",
    "StatelessMultinomial": _DRAWN,
    "TopKV2": "use the sorted values and not their places: tf.sort has a gradient",
}
_ROUNDING = {
    "Ceil": "tf.math.ceil",
    "Floor": "tf.floor",
    "Rint": "tf.math.rint",
    "Round": "tf.round",
}
_COMPARING = {"Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual"}


def _non_differentiable(scene: Scene) -> Words:
    reason = str(scene.facts["reason"] or "it has no slope")
    return Words(
        f"no slope here: {reason}",
        f"{scene.expr} in line {scene.line} has no gradient by nature: {reason}.",
        loss_for(scene)
        or _smooth(scene, scene.op or "")
        or "use a smooth op on the path from the source to the target",
    )


non_differentiable_op = Cause(
    "non-differentiable-op", "MT203", says=_non_differentiable, card=_STOPPED
)


def _smooth(scene: Scene, op: str) -> str | None:
    if op in _ROUNDING:
        given = scene.given(0)
        x = given if given.isidentifier() else "x"
        where = f", with x = {given}" if x != given else ""
        return f"straight through: {x} + tf.stop_gradient({_ROUNDING[op]}({x}) - {x}){where}"
    if op in _COMPARING:
        step = smooth_step(scene.whole_expr) or _smooth_comparison(scene)
        return f"use the value itself, or a smooth step: {step}, {WIDTH}; for a yes or no train on a cross entropy"
    if op in ("ArgMax", "ArgMin"):
        return f"use the scores themselves, as in tf.nn.softmax({scene.given(0)}), or a cross entropy on the logits"
    return _SOFT.get(op)


def _smooth_comparison(scene: Scene) -> str:
    """A slope in place of a comparison that another function makes: a count of what is not zero, say."""
    if scene.op in ("Equal", "NotEqual"):
        return f"tf.tanh(tf.abs({scene.given(0)}) / width)"
    high, low = (1, 0) if scene.op in ("Less", "LessEqual") else (0, 1)
    return f"tf.sigmoid(({scene.given(high)} - {scene.given(low)}) / width)"


stop_gradient = Cause(
    "stop-gradient",
    "MT204",
    says=stopping.told,
    card=OnCard("stopped here", "same number, gradient stopped", is_op=True),
    is_slip=True,
    zeros_meant=True,
)


state_assign = Cause(
    "state-assign",
    "MT205",
    says=storing.told,
    card=OnCard("stored in a variable"),
    is_slip=True,
)


def _new_variable(scene: Scene) -> Words:
    made = scene.whole_expr.partition("(")[0]
    return Words(
        "a copy: it knows the numbers, not where they came from",
        f"{scene.expr} in line {scene.line} starts anew from the numbers; "
        f"the way they were computed is left behind.{scene.share}",
        _without_copy(scene, made),
    )


def _without_copy(scene: Scene, made: str) -> str:
    """The line without the call that copies, where its tensor is all that the call was given."""
    call, code = parsed(scene.whole_expr), scene.code_of(scene.event)
    if not isinstance(call, ast.Call) or not call.args or scene.whole_expr not in code:
        return f"go on with the tensor itself, and not with what {made} makes of it"
    first = call.args[0]
    kept = ast.unparse(first.body if isinstance(first, ast.Lambda) else first)
    return f"go on with the tensor itself, without {made}: {code.replace(scene.whole_expr, kept)} (line {scene.line})"


new_variable = Cause(
    "new-variable", "MT206", says=_new_variable, card=OnCard("made a new variable"), is_slip=True
)


def _custom_gradient_none(scene: Scene) -> Words:
    told = f"the gradient function of {scene.expr} (line {scene.line}) returned None for {scene.source}"
    if not scene.facts.get("has_no_return"):
        return Words(
            "the custom gradient gives None here",
            f"{told}.",
            "return one gradient for each argument",
        )
    forgotten = scene.facts["forgotten"]
    return Words(
        "the custom gradient ends here without a return: that is None",
        f"{told}: it comes to its end in line {scene.place_line}, and a function that ends without a return gives None.",
        f"return {forgotten} as its last line"
        if forgotten
        else "return one gradient for each argument as its last line",
    )


custom_gradient_none = Cause(
    "custom-gradient-none",
    "MT207",
    says=_custom_gradient_none,
    card=_STOPPED,
    is_slip=True,
    by_hand="the gradient that the function should give cannot be read from the script",
)


# What the catalogue says of an op that custom_gradient made.
OWN_RULE = "as defined by its own gradient function"


def _own_rule_without_history(scene: Scene) -> Words:
    x, line = scene.source, scene.place_line
    return Words(
        f"this slope was not computed from {x}, as far as a tape can see",
        f"the gradient function of {scene.expr} (line {scene.line}) is what is differentiated once more. What it returns in line "
        f"{line} is made of numbers that were not computed from {x} on the tape, so for the tape it does not depend on {x}; "
        "a rule inside it is asked only for what is given to it as an argument.",
        f"compute the slope in line {line} from the argument of {scene.op} itself, with tf. functions; or give that argument "
        "to the inner function that has the second rule",
    )


# A case of it: the first derivative is there, and has no history.
own_rule_without_history = replace(custom_gradient_none, says=_own_rule_without_history)


def _no_gradient_registered(scene: Scene) -> Words:
    name = scene.op or "this op"
    return Words(
        f"{name} has no gradient registered",
        f"{scene.expr} in line {scene.line} has no gradient registered: each gradient that passes it fails.",
        "compute this step with other ops, or keep it out of the path: tf.stop_gradient around its input",
    )


no_gradient_registered = Cause(
    "no-gradient-registered",
    "MT505",
    says=_no_gradient_registered,
    card=_STOPPED,
    by_hand="the op has no gradient: other ops would have to compute the same",
)
