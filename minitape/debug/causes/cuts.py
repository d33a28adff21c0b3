"""Causes on the way: a step that every tape sees and that carries nothing back."""

import re

from minitape.debug.causes.rewriting import in_tensorflow, operands, smooth_step, twin
from minitape.debug.causes.scene import Scene, Words


def numpy_roundtrip(scene: Scene) -> Words:
    called = scene.whole_expr.partition("(")[0].strip().replace("numpy.", "np.", 1)
    stored = re.match(r"([\w.]+)\[.*\] = ", scene.code_of(scene.event))
    if called.startswith("np."):
        leaving = f"{called} is NumPy's: it takes the numbers out of {_gone(scene)}"
        fix = _in_tensorflow(scene, called)
    elif stored:
        leaving = f"line {scene.line} ({scene.code_of(scene.event)}) stores the number in the NumPy array {stored[1]}"
        fix = f"collect the tensors in a list, and make one tensor of it: {stored[1]} = tf.stack(values)"
    else:
        leaving = f"{scene.expr or 'a call'} in line {scene.line} hands the numbers of {_gone(scene)} to NumPy"
        fix = "use tf. functions, on the tensor itself"
        if scene.facts["via"] == "numpy":
            fix = "leave .numpy() away, and use tf. functions on the tensor itself"
    return Words("here the value leaves the tape for NumPy", f"{leaving}. {_lost(scene)}", fix)


def _in_tensorflow(scene: Scene, called: str) -> str:
    better = in_tensorflow(scene.whole_expr)
    if called in ("np.array", "np.asarray"):
        return f"leave {called} away: tf. functions take the tensor itself"
    if better is not None:
        return f"{better} instead of {scene.whole_expr}"
    known = twin(called)
    return f"use {known or 'tf. functions'}, on the tensor itself"


def python_scalar(scene: Scene) -> Words:
    called = scene.whole_expr.partition("(")[0].strip()
    fix = "keep the tensor: leave the conversion away, and convert only what you print"
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


def _gone(scene: Scene) -> str:
    """What left the tape, as the user calls it."""
    names = [scene.name_of(value) for value in scene.event.get("t", ())]
    return " and ".join(dict.fromkeys(names)) or "a tensor"


def _lost(scene: Scene) -> str:
    return (
        f"A tape follows tensors only: what comes back{_back(scene)} is a constant, "
        f"and a constant does not depend on {scene.source}.{scene.share}"
    )


def _back(scene: Scene) -> str:
    back = scene.flow.event(scene.found.also[0]) if scene.found.also else None
    line = scene.line_of(back)
    return "" if line is None or line == scene.place_line else f" in line {line}"


def host_callback(scene: Scene) -> Words:
    return Words(
        "NumPy runs inside here: the tape sees only its result",
        f"{scene.expr} in line {scene.line} computes with NumPy, out of the tape's sight.",
        "use tf. functions; or tf.py_function with tf. functions inside; or give it a tf.custom_gradient",
    )


_SCORES = "use the scores themselves, as in tf.nn.softmax(scores), or a cross entropy on the logits"
_DRAWN = "sample, and weight the log-probability of the sample by its reward"
_SOFT = {
    "ArgMax": _SCORES,
    "ArgMin": _SCORES,
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


def non_differentiable(scene: Scene) -> Words:
    op = str(scene.event["name"])
    reason = str(scene.facts["reason"] or "it has no slope")
    return Words(
        f"no slope here: {reason}",
        f"{scene.expr} in line {scene.line} has no gradient by nature: {reason}.",
        _smooth(scene, op) or "use a smooth op on the path from the source to the target",
    )


def _smooth(scene: Scene, op: str) -> str | None:
    if op in _ROUNDING:
        given = operands(scene.whole_expr)[:1]
        x = given[0] if given and given[0].isidentifier() else "x"
        where = f", with x = {given[0]}" if given and x != given[0] else ""
        return f"straight through: {x} + tf.stop_gradient({_ROUNDING[op]}({x}) - {x}){where}"
    if op in _COMPARING:
        step = smooth_step(scene.whole_expr) or "tf.sigmoid((a - b) / width)"
        return f"use the value itself, or a smooth step: {step}; for a yes or no train on a cross entropy"
    return _SOFT.get(op)


def stop_gradient(scene: Scene) -> Words:
    return Words(
        "stop_gradient cuts the path here",
        f"tf.stop_gradient in line {scene.line} cuts off everything before it, {scene.source} included. "
        "That is its purpose.",
        f"leave stop_gradient away if {scene.source} should learn",
    )


def state_assign(scene: Scene) -> Words:
    how = scene.event.get("how", "assign")
    variable, found, _ = scene.whole_expr.partition(f".{how}(")
    if not found:
        variable = scene.name_of(scene.facts["variable"])
    fix = f"keep the new value in a tensor, new = ..., and compute {scene.target} from that tensor"
    return Words(
        f"{how} stores the numbers and forgets where they came from",
        f"{variable}.{how} in line {scene.line} stores numbers in a variable. "
        f"The tape does not follow what a variable is given, so the way from {scene.source} ends here.",
        f"{fix}; {variable}.{how}(...) can come afterwards",
    )


def new_variable(scene: Scene) -> Words:
    made = scene.whole_expr.partition("(")[0]
    return Words(
        "a copy: it knows the numbers, not where they came from",
        f"{scene.expr} in line {scene.line} starts anew from the numbers; "
        f"the way they were computed is left behind.{scene.share}",
        f"go on with the tensor itself, without {made}(...) around it",
    )


def custom_gradient_none(scene: Scene) -> Words:
    return Words(
        "the custom gradient gives None here",
        f"the gradient function of {scene.expr} (line {scene.line}) returned None for {scene.source}.",
        "return one gradient for each argument; if it has no return, write one",
    )


def no_gradient_registered(scene: Scene) -> Words:
    name = scene.event.get("name", "this op")
    return Words(
        f"{name} has no gradient registered",
        f"{scene.expr} in line {scene.line} has no gradient registered: each gradient that passes it fails.",
        "compute this step with other ops, or keep it out of the path: tf.stop_gradient around its input",
    )
