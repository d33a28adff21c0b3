"""Causes on the way: a step that every tape sees and that carries nothing back."""

import ast
import re
from dataclasses import dataclass, replace
from typing import Any

from minitape.explain.causes.cause import Cause, Facts, OnCard, Scene
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
from minitape.explain.causes.texts import Words, code, joined, shared
from minitape.explain.causes.texts import cuts as texts
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


@dataclass(frozen=True, kw_only=True)
class LeftTape(Facts):
    """A value left the tape.

    Attributes:
        via: What it left by: `numpy`, `float`, `Model.predict`, `tf.data.Dataset.map`.
    """

    via: str


def _numpy_roundtrip(scene: Scene[LeftTape]) -> Words:
    called = scene.whole_expr.partition("(")[0].strip().replace("numpy.", "np.", 1)
    stored, others = _stored(scene), _other_exits(scene)
    fix = _without_numpy(scene, called, stored)
    if others:
        fix = " and ".join([texts.ON_LINE(fix=fix, line=scene.line), *others.values()])
    told = _and_the_other_calls(list(others))
    back = _back(scene)
    if called.startswith("np."):
        return texts.NUMPY_FUNCTION(
            function=code(called),
            values=_gone(scene),
            arrays=_arrays(scene),
            others=told,
            back=back,
            fix=fix,
        )
    if stored:
        statement = code(scene.code_of(scene.event))
        return texts.NUMPY_ARRAY(
            line=scene.line,
            statement=statement,
            array=code(stored[1]),
            others=told,
            back=back,
            fix=fix,
        )
    return texts.NUMPY_CALL(
        call=scene.the_expr,
        line=scene.line,
        values=_gone(scene),
        arrays=_arrays(scene),
        others=told,
        back=back,
        fix=fix,
    )


def _without_numpy(scene: Scene[LeftTape], called: str, stored: re.Match[str] | None) -> str:
    """What to write instead of the call or statement that hands a value to NumPy."""
    if called.startswith("np."):
        return _in_tensorflow(scene, called)
    if stored:
        return _collected(scene, stored)
    if scene.facts.via != "numpy":
        return texts.USE_TENSORFLOW
    kept = _as_tensor(scene)
    return (
        texts.WITHOUT_NUMPY
        if kept is None
        else texts.KEEP_THE_TENSOR(statement=code(kept), line=scene.line)
    )


def _and_the_other_calls(calls: list[str]) -> str:
    """The sentence about other calls of NumPy through which the same value went; empty where there are none."""
    if not calls:
        return ""
    sentence = texts.ANOTHER_CALL if len(calls) == 1 else texts.OTHER_CALLS
    return sentence(calls=joined(calls))


numpy_roundtrip = Cause(
    "numpy-roundtrip",
    "MT201",
    says=_numpy_roundtrip,
    evidence=Evidence.MARK,
    card=_LEFT,
    is_slip=True,
)


def _exits_before(scene: Scene[LeftTape], back: events.Reentry) -> list[events.Export]:
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


def _other_exits(scene: Scene[LeftTape]) -> dict[str, str]:
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
        called = text.partition("(")[0]
        better = in_tensorflow(text)
        fix = texts.USE_TENSORFLOW_INSTEAD(function=code(called))
        if better is not None:
            fix = texts.USE_INSTEAD(better=code(better), written=code(text))
        elif twin(called) is not None:
            fix = texts.USE_INSTEAD(better=code(twin(called)), written=code(called))
        others[texts.CALL_ON_LINE(function=code(called), line=line)] = texts.ON_LINE(
            fix=fix, line=line
        )
    return others


def _in_tensorflow(scene: Scene[LeftTape], called: str) -> str:
    if called in ("np.array", "np.asarray"):
        return _kept_together(scene, called)
    left = scene.event.values[:1] if isinstance(scene.event, events.Export) else []
    rank = max((len(scene.flow.numbers[each].shape) for each in left), default=1)
    better = in_tensorflow(scene.whole_expr, rank)
    if better is not None:
        return texts.USE_INSTEAD(better=code(better), written=code(scene.whole_expr))
    known = twin(called)
    return texts.USE_TENSORFLOW if known is None else texts.USE_FUNCTION(function=code(known))


def _stored(scene: Scene[LeftTape]) -> re.Match[str] | None:
    """The statement that puts the number into an array of NumPy's; a dict or a list would take the tensor itself."""
    found = re.match(r"([\w.]+)\[.*\] [-+*/]?= ", scene.code_of(scene.event))
    if found is None or scene.facts.via != "numpy":
        return found
    site = scene.flow.innermost(scene.event)
    program = "" if site is None else scene.flow.texts.get(site.at.file, "")
    is_array = re.search(rf"{re.escape(found[1])} = (np|numpy)\.", program)
    return found if is_array else None


def _collected(scene: Scene[LeftTape], stored: re.Match[str]) -> str:
    """A list of tensors in place of the array that was filled with their numbers."""
    value = scene.code_of(scene.event)[stored.end() :].removesuffix(".numpy()")
    append = texts.APPEND(append=code(f"values.append({value})"), line=scene.line)
    return texts.COLLECT(
        append=append if stored[0].endswith("] = ") else "",
        array=code(f"{stored[1]} = tf.stack(values)"),
    )


def _kept_together(scene: Scene[LeftTape], called: str) -> str:
    """What to write for an array that was made of tensors, or of one."""
    given = operands(scene.whole_expr)[:1]
    opened = scene.tape_event
    if not given or code(given[0]) == _gone(scene):
        return texts.WITHOUT_ARRAY(function=code(called))
    written = code(scene.whole_expr)
    if opened is not None and scene.event.i < opened.i:
        return texts.KEEP_A_LIST(list=code(given[0]), written=written)
    return texts.USE_INSTEAD(better=code(f"tf.stack({given[0]})"), written=written)


def _as_tensor(scene: Scene[LeftTape]) -> str | None:
    """The statement with the tensor left as it is."""
    return without_conversion(scene.code_of(scene.event), scene.whole_expr)


def _dataset(scene: Scene[LeftTape]) -> Words:
    method, values, back = scene.facts.via.removeprefix("tf.data."), _gone(scene), _back(scene)
    if method.startswith("Dataset.from_t"):
        rows = rows_of(parsed(scene.whole_expr))
        return texts.MADE_INTO_DATASET(
            method=code(method),
            line=scene.line,
            values=values,
            back=back,
            rows="" if rows is None else texts.ROWS(rows=code(ast.unparse(rows))),
        )
    label = texts.COMES_OUT_HERE if scene.found.at is None else texts.IS_COMPUTED_HERE
    line = _line_that_computed(scene)
    fix = (
        texts.COMPUTE_WITH_IN_LOOP(values=values)
        if line is None
        else texts.COMPUTE_IN_LOOP(values=values, line=line)
    )
    if method.endswith("generator"):
        return texts.YIELDED_IN_DATASET(label=label, values=values, back=back, fix=fix)
    return texts.COMPUTED_IN_DATASET(
        label=label, method=code(method), values=values, back=back, fix=fix
    )


dataset = Cause(
    "dataset",
    "MT201",
    says=_dataset,
    evidence=Evidence.MARK,
    card=_LEFT,
    is_slip=True,
)


def _python_scalar(scene: Scene[LeftTape]) -> Words:
    entry = texts.PYTHON_STRING if scene.facts.via == "format" else texts.PYTHON_NUMBER
    return entry(
        call=scene.the_expr,
        line=scene.line,
        values=_gone(scene),
        back=_back(scene),
        fix=_without_python(scene),
    )


def _without_python(scene: Scene[LeftTape]) -> str:
    """What to write instead of the conversion to a Python number."""
    called = scene.whole_expr.partition("(")[0].strip()
    if called.startswith("math."):
        better = in_tensorflow(scene.whole_expr)
        if better is None:
            return texts.USE_TF_INSTEAD_OF_MATH
        return texts.USE_INSTEAD(better=code(better), written=code(scene.whole_expr))
    if called == "int":
        return _straight_through_int(scene)
    kept = _as_tensor(scene)
    if kept is None:
        return texts.WITHOUT_CONVERSION
    return texts.CONVERT_ONLY_TO_PRINT(statement=code(kept), line=scene.line)


def _straight_through_int(scene: Scene[LeftTape]) -> str:
    """What to write instead of `int(x)`."""
    x = (operands(scene.whole_expr) or ["x"])[0]
    v = x if is_place(x) else "v"
    estimator = code(f"{v} + tf.stop_gradient(tf.floor({v}) - {v})")
    advice = texts.INT_STRAIGHT_THROUGH(x=code(x), estimator=estimator)
    return advice if v == x else texts.WITH_VALUE(advice=advice, name=code(f"v = {x}"))


python_scalar = Cause(
    "python-scalar", "MT201", says=_python_scalar, evidence=Evidence.MARK, card=_LEFT, is_slip=True
)


def _names_gone(scene: Scene[LeftTape]) -> list[str]:
    """What left the tape in this place for what came back, as a sentence calls it."""
    back = scene.flow.event(scene.found.also[0]) if scene.found.also else None
    exits = [scene.event] if isinstance(scene.event, events.Export) else []
    if exits and isinstance(back, events.Reentry):
        together = (scene.flow.exits[number].event for number in back.exports)
        exits = [each for each in together if each.stack == scene.event.stack] or exits
    values = dict.fromkeys(value for exit in exits for value in exit.values)
    return list(dict.fromkeys(map(scene.called, values)))


def _gone(scene: Scene[LeftTape]) -> str:
    """The values that left the tape in this place, as a sentence lists them."""
    names = _names_gone(scene)
    if len(names) > _NAMED:
        names = [*names[:_NAMED], shared.MORE_VALUES(count=len(names) - _NAMED)]
    return joined(names) if names else shared.SOME_TENSOR


def _arrays(scene: Scene[LeftTape]) -> str:
    return texts.ARRAYS if len(_names_gone(scene)) > 1 else texts.ONE_ARRAY


def _line_that_computed(scene: Scene[LeftTape]) -> int | str | None:
    """Where the one tensor was computed that left the tape; None if it is a variable, or there are several."""
    left = scene.event.values if isinstance(scene.event, events.Export) else []
    made = scene.flow.op_behind(left[0]) if len(left) == 1 else None
    return None if made is None else scene.line_of(made)


def _back(scene: Scene[LeftTape]) -> str:
    """The sentence on what came back from NumPy or Python, with the line on which it did."""
    source, incomplete = scene.the_source, scene.share
    back = scene.flow.placed(scene.found.also[0]) if scene.found.also else None
    line = scene.line_of(back)
    if back is None or line is None or line == scene.place_line:
        return texts.COMES_BACK(result=texts.THE_RESULT, source=source, incomplete=incomplete)
    site = scene.flow.innermost(scene.event)
    helper = "" if site is None else site.function.rpartition(".")[2]
    result = texts.THE_RESULT
    if helper.isidentifier() and f"{helper}(" in scene.code_of(back):
        result = texts.THE_RESULT_OF(function=code(helper))
    return texts.COMES_BACK_ON_LINE(result=result, line=line, source=source, incomplete=incomplete)


def _host_callback(scene: Scene[Any]) -> Words:
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


def _non_differentiable(scene: Scene[Any]) -> Words:
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


def _smooth(scene: Scene[Any], op: str) -> str | None:
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


def _smooth_comparison(scene: Scene[Any]) -> str:
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


def _new_variable(scene: Scene[Any]) -> Words:
    made = scene.whole_expr.partition("(")[0]
    return Words(
        "a copy: it knows the numbers, not where they came from",
        f"{scene.expr} in line {scene.line} starts anew from the numbers; "
        f"the way they were computed is left behind.{scene.share}",
        _without_copy(scene, made),
    )


def _without_copy(scene: Scene[Any], made: str) -> str:
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


def _custom_gradient_none(scene: Scene[Any]) -> Words:
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
OWN_RULE = "as its own gradient function says"


def _own_rule_without_history(scene: Scene[Any]) -> Words:
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


def _no_gradient_registered(scene: Scene[Any]) -> Words:
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
