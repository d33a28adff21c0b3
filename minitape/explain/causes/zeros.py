"""Causes of zeros: the way is there, and it is flat."""

import re
from typing import Any

from minitape.explain.causes.cause import WHICH_NUMBERS, Cause, Scene
from minitape.explain.causes.rewriting import WIDTH, is_number, is_place, operands
from minitape.explain.causes.texts import Words
from minitape.explain.causes.wording.dying import death
from minitape.explain.flow.magnitudes import is_zero
from minitape.explain.report import Confidence, Evidence
from minitape.trace import events
from minitape.trace.events import Numbers

_NEAR = 20  # ops
_WEIGHING = (
    "MatMul",
    "BatchMatMulV2",
    "Einsum",
    "Conv1D",
    "Conv2D",
    "Conv3D",
    "DepthwiseConv2dNative",
)


def _dead_relu(scene: Scene[Any]) -> Words:
    op = scene.flow.op(scene.facts["op"])
    numbers = scene.flow.numbers.get(_input(scene, op))
    count = 0 if numbers is None else numbers.size
    which = "the only input" if count == 1 else f"all {count} inputs"
    of_relu = f"of {'relu' if op.name in ('Relu', 'Relu6') else scene.expr_of(op)} in line {scene.line_of(op)}"
    told = f"{which} {of_relu} {'is' if count == 1 else 'are'} negative"
    high = None if numbers is None else numbers.max
    if high == 0:
        told = f"no input {of_relu} is above 0"
    elif high is not None and high > 0:
        told = f"the inputs {of_relu} to which something comes back are not above 0; all inputs"
    message = f"{told}{_between(numbers)}: its output is 0 and so is its slope."
    died = death(scene, op)
    if died is not None:
        return Words(
            "dead since an update that was too large: 0 comes out, and 0 goes back",
            f"{message} {died.message}",
            died.fix,
        )
    return Words(
        "nothing above 0 comes in: 0 comes out, and 0 goes back",
        message,
        _alive_again(scene, op),
    )


dead_relu = Cause(
    "dead-relu", "MT401", says=_dead_relu, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _alive_again(scene: Scene[Any], op: events.Op) -> str:
    given = operands(scene.expr_of(op)) or [scene.name_of(op.inputs[0].value)]
    x = next((each for each in given if not is_number(each)), given[0])
    if op.name not in ("Relu", "Relu6"):
        return f"if it is a limit, and kept, all is well; for a slope on both sides of it: tf.nn.softplus({x})"
    if not any(scene.flow.leads(each, [op.inputs[0].value]) for each in scene.flow.variables):
        return (
            f"ask where {x} is above 0; or tf.nn.leaky_relu({x}), which has a slope on both sides"
        )
    if scene.facts.get("layer"):
        return 'scale what goes in to a mean of 0, start the bias at 0 and the weights small, or use activation="leaky_relu"'
    if not _is_of_a_layer(scene, op):
        return (
            f"start where {x} is above 0; or tf.nn.leaky_relu({x}), which has a slope on both sides"
        )
    return "start the bias at 0 and the weights small, or use tf.nn.leaky_relu"


def _is_of_a_layer(scene: Scene[Any], op: events.Op) -> bool:
    """Whether a product with a matrix is near: in plain arithmetic there is no bias to start at 0."""
    waiting = [op]
    for each in waiting:
        if len(waiting) > _NEAR:
            break
        behind = filter(None, (scene.flow.op_behind(given.value) for given in each.inputs))
        for before in behind:
            if before.name in _WEIGHING:
                return True
            waiting.append(before)
    return False


def _input(scene: Scene[Any], op: events.Op) -> int:
    """The input that nothing was sent to, or, of a function of one, that."""
    given = [each.value for each in op.inputs]
    return int(scene.facts["sent"] if scene.facts.get("sent") in given else given[0])


def _between(numbers: Numbers | None) -> str:
    if numbers is None or numbers.min is None:
        return ""
    low, high = f"{numbers.min:.4g}", f"{numbers.max:.4g}"
    return f" ({low})" if low == high else f" ({low} to {high})"


def _saturated(scene: Scene[Any]) -> Words:
    op = scene.flow.op(scene.facts["op"])
    numbers = scene.flow.numbers.get(_input(scene, op))
    flat = f"{scene.expr} in line {scene.line_of(op)} is flat for such inputs{_between(numbers)}: its slope there is 0."
    died = death(scene, op)
    if died is not None:
        label = "far out since an update that was too large: flat here"
        return Words(label, f"{flat} {died.message}", died.fix)
    fix = "scale the inputs down"
    if op.name in ("Sigmoid", "Softmax", "LogSoftmax"):
        fix += "; in a loss use the logits: tf.nn.sigmoid_cross_entropy_with_logits or tf.nn.softmax_cross_entropy_with_logits"
    return Words(
        "flat here: the input is far out",
        flat,
        fix,
    )


saturated = Cause(
    "saturated", "MT401", says=_saturated, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _clipped(scene: Scene[Any]) -> Words:
    sent = scene.facts.get("sent")
    between = _between(scene.flow.numbers.get(sent)) if sent is not None else ""
    if scene.op in ("Minimum", "Maximum") and "clip" not in scene.expr:
        return Words(
            "the other argument wins everywhere: flat here",
            f"{scene.expr} in line {scene.line} takes its other argument everywhere, so nothing goes back on this "
            f"one{between}.",
            "widen the limit, or start from values on its other side",
        )
    return Words(
        "outside the limits: flat here",
        f"{scene.expr} in line {scene.line} cuts off all values here{between}, and what is cut off has the slope 0.",
        "widen the limits, or scale the values so that they lie inside",
    )


clipped = Cause("clipped", "MT401", says=_clipped, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS)


def _sums_to_constant(scene: Scene[Any]) -> Words:
    if scene.facts.get("one_unit"):
        return Words(
            "a softmax over one unit is always 1",
            f"softmax in line {scene.place_line} runs over an axis of size 1, so it gives exactly 1, whatever the weights are: "
            "nothing moves it.",
            'activation="sigmoid" for a single output, or two units with softmax; if there are more units, check the axis',
        )
    if scene.facts.get("cancels"):
        x = scene.source
        return Words(
            f"what arrives here for {x} adds up to 0",
            f"each element of {scene.expr} (line {scene.line}) is sent something, but {x} is the same for many of them, "
            f"and there it adds up to 0: what follows takes {x} out again, as subtracting a mean does.",
            f"leave {x} away, for {scene.target} is the same without it (a layer before a batch normalisation: "
            f"use_bias=False); or use {x} after the step that takes it out",
        )
    if scene.facts.get("alone"):
        return Words(
            "the mean of a single row is the row: 0 is left",
            f"{scene.expr} in line {scene.place_line} takes a mean away, and it is the mean of one number: 0 is left, whatever "
            f"{scene.source} is. So does a batch normalisation of a batch of one.",
            "give it a batch of several rows, or another axis; for rows by themselves tf.keras.layers.LayerNormalization()",
        )
    if scene.facts.get("shares"):
        x = scene.source
        return Words(
            f"several shares of {x} meet, and here they add up to 0",
            f"{scene.target} uses {x} in several places, {scene.expr} in line {scene.place_line} among them. Something comes "
            f"back from each, and all together it is 0: a small step of {x} does not change {scene.target}.",
            f"if {scene.target} is the same for all {x}, give it a term that does not cancel; if {x} lies where two pulls "
            "balance, or at the lowest point, all is well",
        )
    return Words(
        "the sum over these is a constant",
        f"the gradient of {scene.target} is that of its sum, and what {scene.expr} in line {scene.place_line} gives sums up "
        f"to the same for all values of {scene.source}.",
        f"pick one output, or ask for each output's own gradient: {scene.tape_name}.jacobian({scene.target}, {scene.source})",
    )


sums_to_constant = Cause(
    "sums-to-constant",
    "MT401",
    says=_sums_to_constant,
    confidence=Confidence.LIKELY,
    evidence=Evidence.NUMBERS,
    at_rest=True,
    at_point=True,
    by_hand="nothing is lost: the target is the same for all values of the source",
)


def _zero_init(scene: Scene[Any]) -> Words:
    factor = scene.facts["factor"]
    name = scene.name_of(factor)
    numbers = scene.flow.numbers.get(factor)
    shape = "shape" if numbers is None else numbers.shape
    start = f"tf.Variable(tf.random.normal({shape}, stddev=0.1))"
    start = f"{name} = {start}" if is_place(name) else start
    if "other" in scene.facts:
        other = scene.name_of(scene.facts["other"])
        return Words(
            f"{name} and {other} are both all zeros",
            f"{name} and {other} are multiplied, so what goes back to the one is multiplied by the other. Both are all zeros: 0 "
            f"comes back for {scene.source}.",
            f"start one of the two from small random numbers: {start}; {other} may stay 0, and then learns first",
        )
    return Words(
        f"{name} is all zeros",
        f"what goes back to {scene.source} is multiplied by {name}, and that is all zeros.",
        f"start it from small random numbers: {start}{_or_learned(scene, factor)}",
    )


def _or_learned(scene: Scene[Any], factor: int) -> str:
    """A factor that nobody asks about stays 0; asked about, it would move by itself."""
    asked = {source.value for call in scene.flow.calls.values() for source in call.event.sources}
    variable = scene.flow.variables.get(factor)
    if factor in asked or variable is None or not variable.trainable:
        return ""
    return f"; or let it learn: ask for its gradient too, in line {scene.line_of(scene.call.event)}"


zero_init = Cause(
    "zero-init", "MT401", says=_zero_init, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _masked_out(scene: Scene[Any]) -> Words:
    if scene.facts.get("empty"):
        return Words(
            "nothing is chosen here",
            f"{scene.expr} in line {scene.line} chooses no element at all, so nothing goes back.",
            "check the condition or the indices",
        )
    name = scene.name_of(scene.facts["factor"])
    if name == scene.expr:
        return Words(
            "multiplied by 0 everywhere",
            f"on the way back through {scene.expr} in line {scene.line} all is multiplied by 0.",
            f"look at what {scene.expr} is computed from",
        )
    return Words(
        f"multiplied by {name}, which is 0 everywhere",
        f"{scene.expr} in line {scene.line} multiplies by {name}, and that is 0 everywhere.",
        f"check how {name} is computed",
    )


masked_out = Cause(
    "masked-out",
    "MT401",
    says=_masked_out,
    evidence=Evidence.NUMBERS,
    at_rest=True,
    by_hand=WHICH_NUMBERS,
)


def _where_unselected(scene: Scene[Any]) -> Words:
    return Words(
        "where took the other branch everywhere",
        f"{scene.expr} in line {scene.line} chose the other branch for every element, so nothing goes back here.",
        f"check the condition{_compared(scene)}",
    )


def _compared(scene: Scene[Any]) -> str:
    """What the condition compares, with the numbers of both sides."""
    chosen = scene.flow.op_behind(scene.flow.op(scene.facts["op"]).inputs[0].value)
    if chosen is None or chosen.name not in ("Greater", "GreaterEqual", "Less", "LessEqual"):
        return ""
    told = []
    for each in chosen.inputs:
        name = each.text or scene.name_of(each.value)
        told.append(
            f"{name}{'' if is_number(name) else _between(scene.flow.numbers.get(each.value))}"
        )
    return f" {scene.expr_of(chosen)} in line {scene.line_of(chosen)}: it compares {' with '.join(told)}"


where_unselected = Cause(
    "where-unselected",
    "MT401",
    says=_where_unselected,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _step_function(scene: Scene[Any]) -> Words:
    return Words(
        "flat on both sides: the slope is 0",
        f"{scene.expr} in line {scene.line} is flat wherever it does not jump, so it sends zeros back.",
        f"use a smooth step, such as tf.tanh({_one(scene)} / width), {WIDTH}",
    )


step_function = Cause(
    "step-function", "MT401", says=_step_function, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _one(scene: Scene[Any]) -> str:
    """What a function of one number was given, as it stands in a product or a quotient."""
    x = scene.given(0)
    return x if re.fullmatch(r"[\w.]+(\(.*\)|\[.*\])?", x) else f"({x})"


_PIECES = {
    "Abs": ("the absolute value", "-1 or 1", "tf.sqrt({x} ** 2 + 1e-4)"),
    "LeakyRelu": ("leaky relu", "one number or another", "tf.tanh, tf.nn.softplus or tf.nn.swish"),
    "Relu": ("relu", "0 or 1", "tf.tanh, tf.nn.softplus or tf.nn.swish"),
    "Relu6": ("relu6", "0 or 1", "tf.tanh, tf.sigmoid or tf.nn.swish"),
}


def _as_layers_write(functions: str) -> str:
    """`tf.nn.swish` is "swish" to a layer."""
    return re.sub(r"tf\.(?:nn\.)?(\w+)", r'"\1"', functions)


def _piecewise_linear(scene: Scene[Any]) -> Words:
    name, slopes, smooth = _PIECES.get(
        scene.op or "", ("this", "one number or another", "tf.tanh, tf.nn.softplus or tf.nn.swish")
    )
    if "{x}" in smooth:
        smooth = smooth.replace("{x}", _one(scene))
    asked = scene.flow.placed(scene.facts.get("asked", scene.call.event.i))
    return Words(
        "made of straight pieces: its second derivative is 0 everywhere",
        f"the slope of {name} (line {scene.line}) is {slopes} and does not change when its input moves a little. So the second "
        f"derivative that line {scene.line_of(asked)} asks for is 0 everywhere, and what is computed from it sends nothing back.",
        f"a smooth function in line {scene.place_line}: "
        f"{_as_layers_write(smooth) if scene.facts.get('layer') else smooth}",
    )


piecewise_linear = Cause(
    "piecewise-linear",
    "MT401",
    says=_piecewise_linear,
    confidence=Confidence.LIKELY,
    evidence=Evidence.NUMBERS,
    at_rest=True,
    by_hand=WHICH_NUMBERS,
)


def _stationary(scene: Scene[Any]) -> Words:
    label, point = (
        "a lowest or highest point: the slope is 0 there",
        "is at a point where its slope is 0",
    )
    if scene.op in ("Square", "Pow", "Mul"):
        label = "the value under the square is 0: the slope is 0 there"
        point = "squares a value that is 0, where the slope is 0"
    at = f"{scene.expr} in line {scene.line} {point}."
    if _never_leaves(scene):
        numbers = scene.flow.numbers.get(scene.value)
        shape = "shape" if numbers is None else numbers.shape
        return Words(
            label,
            f"{at} The gradient is what moves {scene.source}, so it stays on this point from the first round to the last.",
            f"start {scene.source} a little beside it: add tf.random.normal({shape}, stddev=0.1)",
        )
    return Words(
        label,
        f"{at} Nothing is lost: this is a lowest or highest point.",
        "start from another value if you want to see a slope",
    )


def _never_leaves(scene: Scene[Any]) -> bool:
    """Whether a loop moves the source by gradients that are all 0, and something is left to learn."""
    updates = [each for each in scene.flow.assigns[scene.value] if each.i > scene.call.event.i]
    targets = scene.call.event.targets
    return bool(updates) and not all(is_zero(scene.flow.numbers.get(each)) for each in targets)


stationary_point = Cause(
    "stationary-point",
    "MT401",
    says=_stationary,
    confidence=Confidence.POSSIBLE,
    evidence=Evidence.NUMBERS,
    at_rest=True,
    at_point=True,
    by_hand="nothing is lost: the slope is zero here",
)
