"""Causes of NaN and infinity: a slope that is no number."""

from minitape.explain.causes.cause import WHICH_NUMBERS, Cause, Scene, Words
from minitape.explain.causes.rewriting import operands
from minitape.explain.report import Confidence, Evidence
from minitape.trace import events


def _where_nan(scene: Scene) -> Words:
    op = scene.flow.op(scene.facts["op"])
    chosen = operands(scene.whole_expr)[:1]
    condition = chosen[0] if chosen and len(chosen[0]) <= 40 else "condition"
    roots = [scene.flow.op(each) for each in scene.facts["roots"]]
    if roots:
        return _where_over_roots(scene, op, roots)
    return Words(
        "both branches are computed, and the one not used is NaN or infinite",
        f"where in line {scene.line} computes both branches. {scene.expr_of(op)} is not finite, or has no finite "
        "slope, where it is not used, and on the way back 0 times that is NaN.",
        f"make the input safe first: safe = tf.where({condition}, {_safe(scene, op)}), and compute with safe",
    )


where_nan = Cause(
    "where-nan", "MT404", says=_where_nan, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _where_over_roots(scene: Scene, op: events.Op, roots: list[events.Op]) -> Words:
    """Two causes on one path: mending the branches alone leaves the slope of the root."""
    lines = " and ".join(dict.fromkeys(str(scene.line_of(each)) for each in roots))
    root = scene.expr_of(roots[0])
    safe = f"{_inside_root(root)} in line {lines}"
    if op.inputs[-1].value == roots[0].outputs[0].id:
        fix = f"{safe}, which mends both, for nothing is 0 then; a safe divisor alone leaves the infinite slope of the root"
    else:
        fix = f"both: {safe}, and a safe input for {scene.expr_of(op)}"
    return Words(
        "both branches are computed, and the one not used is NaN or infinite",
        f"where in line {scene.line} computes both branches. {scene.expr_of(op)} is not finite, or has no finite slope, where "
        f"it is not used, and on the way back 0 times that is NaN. Under it, {root} in line {lines} is taken at 0, where its "
        "own slope is infinite.",
        fix,
    )


def _inside_root(expr: str) -> str:
    x, *others = operands(expr) or ["x"]
    if expr.startswith("tf.norm(") and not others:
        return f"tf.sqrt(tf.reduce_sum(({x}) ** 2) + 1e-12)"
    return f"tf.sqrt({x if expr.startswith('tf.sqrt(') else 'x'} + 1e-12)"


def _safe(scene: Scene, op: events.Op) -> str:
    """The two branches that guard an op: it stands in the one or in the other branch of the `where`."""
    culprit = _culprit(scene, op)
    otherwise = scene.flow.op(scene.event.i).inputs[2].value
    is_second = op.outputs[0].id in scene.flow.upstream([otherwise])
    return f"1.0, {culprit}" if is_second else f"{culprit}, 1.0"


def _culprit(scene: Scene, op: events.Op) -> str:
    """The argument at which an op has no number: the denominator, what a logarithm is taken of."""
    given = op.inputs[-1 if op.name == "RealDiv" else 0]
    name = given.text or scene.name_of(given.value)
    return name if len(name) <= 40 else "x"


def _infinite_slope(scene: Scene) -> Words:
    gradient = _gradient(scene)
    is_nan = gradient is None or gradient.nan
    then = "0 times infinity is NaN" if is_nan else "so what it sends back is infinite"
    return Words(
        "the slope at 0 is infinite",
        f"{scene.expr} in line {scene.line} is taken at 0, where its slope is infinite; {then}.",
        _away_from_zero(scene),
    )


sqrt_at_zero = Cause(
    "sqrt-at-zero", "MT403", says=_infinite_slope, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)
pow_at_zero = Cause(
    "pow-at-zero", "MT403", says=_infinite_slope, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _gradient(scene: Scene) -> events.Numbers | None:
    """What came back for the source."""
    for result in scene.call.results:
        asked = scene.call.event.sources[result.source]
        if asked.value == scene.value and result.numbers is not None:
            return result.numbers
    return None


def _away_from_zero(scene: Scene) -> str:
    expr = scene.whole_expr
    x, *others = operands(expr) or ["x"]
    if expr.startswith("tf.norm(") and not others:
        return f"add a small number inside: tf.sqrt(tf.reduce_sum(({x}) ** 2) + 1e-12)"
    if "reduce_std(" in expr:
        spread = expr.replace("reduce_std", "reduce_variance")
        return f"add a small number inside: tf.sqrt({spread} + 1e-12)"
    if scene.op == "Pow":
        return f"add a small number inside: ({x} + 1e-12) ** {others[0] if others else 'power'}"
    return f"add a small number inside: tf.sqrt({x} + 1e-12)"


def _log_of_zero(scene: Scene) -> Words:
    x = (operands(scene.whole_expr) or ["x"])[0]
    return Words(
        "the logarithm of 0 is minus infinity",
        f"{scene.expr} in line {scene.line} takes the logarithm of 0.",
        f"tf.math.log({x} + 1e-12); for probabilities better the loss from the logits: "
        "tf.nn.softmax_cross_entropy_with_logits or tf.nn.sigmoid_cross_entropy_with_logits",
    )


log_of_zero = Cause(
    "log-of-zero", "MT403", says=_log_of_zero, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _division_by_zero(scene: Scene) -> Words:
    given = operands(scene.whole_expr)
    a, b = given if len(given) == 2 else ("a", "b")
    fix = f"tf.math.divide_no_nan({a}, {b}), which gives 0 there"
    if "norm(" in b:
        fix = f"tf.math.l2_normalize({a}), which stays finite at 0"
    return Words(
        "the denominator is 0",
        f"{scene.expr} in line {scene.line} divides by 0.",
        f"{fix}; or keep the denominator away from 0",
    )


division_by_zero = Cause(
    "division-by-zero",
    "MT403",
    says=_division_by_zero,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _zero_times_inf(scene: Scene) -> Words:
    return Words(
        "here NaN or infinity first appears",
        f"on the way back NaN or infinity first appears at {scene.expr} in line {scene.line}.",
        "look at the values there; keep them finite",
    )


zero_times_inf = Cause(
    "zero-times-inf",
    "MT402",
    says=_zero_times_inf,
    confidence=Confidence.POSSIBLE,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _overflow(scene: Scene) -> Words:
    fix = "scale the values down, or use tf.float64"
    if scene.op == "Exp":
        x = (operands(scene.whole_expr) or ["x"])[0]
        fix = (
            f"limit the input, tf.exp(tf.minimum({x}, 80.0)), or scale it down; "
            f"in a softmax subtract the maximum first: tf.exp({x} - tf.reduce_max({x}))"
        )
    return Words(
        "too large for its dtype",
        f"{scene.expr} in line {scene.line} is too large for its dtype: it became infinite.",
        fix,
    )


overflow = Cause(
    "overflow", "MT402", says=_overflow, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _nan_input(scene: Scene) -> Words:
    value = scene.facts["value"]
    name = scene.name_of(value)
    numbers = scene.flow.numbers.get(value)
    if numbers is not None and numbers.nan:
        return Words(
            f"{name} contains NaN from the start",
            f"{scene.with_line(name, scene.event)} contains NaN, and it spreads to everything computed from it.",
            f"clean {name} first: tf.where(tf.math.is_nan({name}), 0.0, {name})",
        )
    return Words(
        f"{name} contains infinity from the start",
        f"{scene.with_line(name, scene.event)} contains infinity, and 0 times infinity is NaN.",
        "use a large finite number instead, such as 1e9",
    )


nan_input = Cause(
    "nan-input", "MT402", says=_nan_input, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _diverged(scene: Scene) -> Words:
    return Words(
        "the values have grown beyond all bounds",
        f"by line {scene.line} the numbers have grown from step to step until they are not finite.",
        "a smaller learning rate, a tenth of this one; or clip the gradients: tf.clip_by_norm(gradient, 1.0)",
    )


diverged = Cause(
    "diverged",
    "MT402",
    says=_diverged,
    confidence=Confidence.LIKELY,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)
