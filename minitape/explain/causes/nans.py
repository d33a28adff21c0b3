"""Causes of NaN and infinity: a slope that is no number."""

from typing import Any

from minitape.explain.causes.cause import WHICH_NUMBERS, Cause, Scene
from minitape.explain.causes.rewriting import above_zero, is_place, operands, under_root, with_xlogy
from minitape.explain.causes.texts import Words
from minitape.explain.report import Confidence, Evidence
from minitape.trace import events


def _where_nan(scene: Scene[Any]) -> Words:
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


def _where_over_roots(scene: Scene[Any], op: events.Op, roots: list[events.Op]) -> Words:
    """Two causes on one path: mending the branches alone leaves the slope of the root."""
    lines = " and ".join(dict.fromkeys(str(scene.line_of(each)) for each in roots))
    root = scene.expr_of(roots[0])
    condition = scene.flow.op(scene.event.i).inputs[0].value
    asked = [each for each in roots if scene.flow.leads(each.outputs[0].id, [condition])]
    square = under_root(root)
    if asked and square is not None:
        # With a small number under it the root is above 0 everywhere, and the condition would not hold what it held.
        guarded = "tf.where(square > 0.0, tf.sqrt(tf.where(square > 0.0, square, 1.0)), 0.0)"
        fix = f"guard both arguments: {guarded} in line {lines}, with square = {square}, and {_safely(scene, op)}"
        return _told_over_roots(scene, op, root, lines, fix)
    safe = f"{above_zero(root) or 'tf.sqrt(x + 1e-12)'} in line {lines}"
    if op.inputs[-1].value == roots[0].outputs[0].id:
        fix = f"{safe}, which mends both, for nothing is 0 then; a safe divisor alone leaves the infinite slope of the root"
    else:
        fix = f"both: {safe}, and a safe input for {scene.expr_of(op)}"
    return _told_over_roots(scene, op, root, lines, fix)


def _safely(scene: Scene[Any], op: events.Op) -> str:
    """The branch that is not always used, with an argument that is safe where it is not."""
    (condition, *_) = operands(scene.whole_expr) or ["condition"]
    return f"safe = tf.where({condition}, {_safe(scene, op)}) in place of {_culprit(scene, op)} in line {scene.line_of(op)}"


def _told_over_roots(scene: Scene[Any], op: events.Op, root: str, lines: str, fix: str) -> Words:
    return Words(
        "both branches are computed, and the one not used is NaN or infinite",
        f"where in line {scene.line} computes both branches. {scene.expr_of(op)} is not finite, or has no finite slope, where "
        f"it is not used, and on the way back 0 times that is NaN. Under it, {root} in line {lines} is taken at 0, where its "
        "own slope is infinite.",
        fix,
    )


# Well inside the domain; for all others that is 1.
_INSIDE = {
    "Acos": "0.0",
    "Acosh": "2.0",
    "Asin": "0.0",
    "Atanh": "0.0",
    "Erfinv": "0.0",
    "Ndtri": "0.5",
}


def _safe(scene: Scene[Any], op: events.Op) -> str:
    """The two branches that guard an op: it stands in the one or in the other branch of the `where`."""
    culprit, inside = _culprit(scene, op), _INSIDE.get(op.name, "1.0")
    otherwise = scene.flow.op(scene.event.i).inputs[2].value
    is_second = op.outputs[0].id in scene.flow.upstream([otherwise])
    return f"{inside}, {culprit}" if is_second else f"{culprit}, {inside}"


def _culprit(scene: Scene[Any], op: events.Op) -> str:
    """The argument at which an op has no number: the denominator, what a logarithm is taken of."""
    given = op.inputs[-1 if op.name == "RealDiv" else 0]
    name = given.text or scene.name_of(given.value)
    return name if len(name) <= 40 else "x"


def _infinite_slope(scene: Scene[Any]) -> Words:
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


def _gradient(scene: Scene[Any]) -> events.Numbers | None:
    """What came back for the source."""
    for result in scene.call.results:
        asked = scene.call.event.sources[result.source]
        if asked.value == scene.value and result.numbers is not None:
            return result.numbers
    return None


def _away_from_zero(scene: Scene[Any]) -> str:
    known = "(x + 1e-12) ** power" if scene.op == "Pow" else "tf.sqrt(x + 1e-12)"
    return f"add a small number inside: {above_zero(scene.whole_expr) or known}"


def _log_of_zero(scene: Scene[Any]) -> Words:
    *factor, x = _arguments(scene, len(scene.flow.op(scene.event.i).inputs))
    fix = _log_of_chances(scene) or with_xlogy(scene.code_of(scene.event), scene.whole_expr)
    log = f"tf.math.xlogy({factor[0]}, {x} + 1e-12)" if factor else f"tf.math.log({x} + 1e-12)"
    return Words(
        "the logarithm of 0 is minus infinity",
        f"{scene.expr} in line {scene.line} takes the logarithm of 0.",
        fix
        or f"{log}; for probabilities better the loss from the logits: "
        "tf.nn.softmax_cross_entropy_with_logits or tf.nn.sigmoid_cross_entropy_with_logits",
    )


_LOGS = {"Sigmoid": "tf.math.log_sigmoid", "Softmax": "tf.nn.log_softmax"}


def _log_of_chances(scene: Scene[Any]) -> str | None:
    """The logarithm of a softmax or sigmoid in one step, where the call stands in the user's own words."""
    chances = scene.flow.op_behind(scene.flow.op(scene.event.i).inputs[0].value)
    rest = False
    if chances is not None and chances.name == "Sub":
        chances, rest = scene.flow.op_behind(chances.inputs[1].value), True
    if chances is None or chances.name not in _LOGS or (rest and chances.name == "Softmax"):
        return None
    called, _, given = scene.expr_of(chances).partition("(")
    if called.rpartition(".")[2] != chances.name.lower():
        return None
    scores = f"-({given}" if rest else given
    log, line = f"{_LOGS[chances.name]}({scores}", scene.line_of(chances)
    closing = ")" if rest else ""
    return f"{log}{closing} in place of {scene.whole_expr}: it takes the scores, as line {line} does, and stays finite"


log_of_zero = Cause(
    "log-of-zero", "MT403", says=_log_of_zero, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _division_by_zero(scene: Scene[Any]) -> Words:
    given = operands(scene.whole_expr)
    a, b = given if len(given) == 2 else ("a", "b")
    below = scene.flow.op(scene.event.i).inputs[-1].value
    fix = (
        f"tf.math.divide_no_nan({a}, {b}), which gives 0 there; or keep the denominator away from 0"
    )
    if "norm(" in b:
        fix = f"tf.math.l2_normalize({a}), which stays finite at 0"
    elif isinstance(scene.flow.born.get(below), events.Constant) and is_place(b):
        numbers = scene.flow.numbers.get(below)
        if numbers is not None and not numbers.shape:
            fix = f"keep {b} above 0: {a} / max({b}, 1e-3)"
    return Words(
        "the denominator is 0",
        f"{scene.expr} in line {scene.line} divides by 0.",
        fix,
    )


division_by_zero = Cause(
    "division-by-zero",
    "MT403",
    says=_division_by_zero,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


# What each function takes, in words.
_TAKES = {
    "Acos": "from -1 to 1",
    "Acosh": "from 1 on",
    "Asin": "from -1 to 1",
    "Atanh": "from -1 to 1",
    "Digamma": "above 0",
    "Erfinv": "from -1 to 1",
    "Lgamma": "above 0",
    "Log": "above 0",
    "Log1p": "above -1",
    "Ndtri": "from 0 to 1",
    "Pow": "from 0 on, if the power is no whole number",
    "Rsqrt": "from 0 on",
    "Sqrt": "from 0 on",
}
_STEPS = {
    "bfloat16": "1e-2",
    "float16": "1e-3",
}  # beside 1 these are seen; in larger dtypes 1e-6 is


def _edge_of_domain(scene: Scene[Any]) -> Words:
    if scene.op == "Atan2":
        y, x = _arguments(scene, 2)
        return Words(
            "(0, 0) lies in no direction: no slope there",
            f"{scene.expr} in line {scene.line} is taken at (0, 0), where the angle has no slope: 0 / 0 is NaN.",
            f"choose before you compute: tf.atan2({y}, tf.where(({x} == 0.0) & ({y} == 0.0), 1.0, {x}))",
        )
    at, takes = f"{scene.facts['met']:g}", _TAKES[scene.op or ""]
    return Words(
        f"at {at} the slope is infinite",
        f"{scene.expr} in line {scene.line} is taken at {at}. It takes numbers {takes}, and at the end its slope is infinite.",
        f"keep a little away from the end: {_kept_inside(scene)}",
    )


edge_of_domain = Cause(
    "edge-of-domain",
    "MT403",
    says=_edge_of_domain,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _outside_domain(scene: Scene[Any]) -> Words:
    met, takes, (x,) = f"{scene.facts['met']:.9g}", _TAKES[scene.op or ""], _arguments(scene, 1)
    return Words(
        f"{met} is not in its domain: NaN comes out",
        f"{scene.expr} in line {scene.line} is given {met}. It takes numbers {takes}, and has none for {met}.",
        f"{_kept_inside(scene)}{_or_positive(scene, x)}",
    )


outside_domain = Cause(
    "outside-domain",
    "MT403",
    says=_outside_domain,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _kept_inside(scene: Scene[Any]) -> str:
    """The call again, with its argument held inside the domain, as one can type it."""
    op = scene.flow.op(scene.event.i)
    step = _STEPS.get(scene.flow.dtype(op.inputs[0].value), "1e-6")
    x, *others = _arguments(scene, len(op.inputs))
    called = _called(scene)
    match op.name:
        case "Acosh":
            return f"{called}(tf.maximum({x}, 1.0 + {step}))"
        case "Ndtri":
            return f"{called}(tf.clip_by_value({x}, {step}, 1.0 - {step}))"
        case "Log1p":
            return f"{called}(tf.maximum({x}, -1.0 + {step}))"
        case "Pow":
            return f"tf.maximum({x}, {step}) ** {others[0]}"
        case "Digamma" | "Lgamma" | "Log" | "Rsqrt" | "Sqrt":
            return f"{called}(tf.maximum({x}, {step}))"
    return f"{called}(tf.clip_by_value({x}, -1.0 + {step}, 1.0 - {step}))"


def _or_positive(scene: Scene[Any], x: str) -> str:
    """What to do about a number that is learned: where it is cut off it has no slope."""
    if scene.op not in ("Log", "Pow", "Rsqrt", "Sqrt") or not is_place(x):
        return ""
    return f"; or, if {x} is learned, tf.nn.softplus({x}) in its place: it is above 0, and has a slope everywhere"


def _called(scene: Scene[Any]) -> str:
    """The function as the user writes it; where a layer called it, by its name in TensorFlow."""
    called = scene.whole_expr.partition("(")[0]
    name = (scene.op or "").lower()
    return called if called.rpartition(".")[2] == name else f"tf.math.{name}"


def _arguments(scene: Scene[Any], count: int) -> list[str]:
    """What an op was given, as the user writes it where the expression is this op alone."""
    op = scene.flow.op(scene.event.i)
    expr = scene.whole_expr
    is_own = expr.partition("(")[0].rpartition(".")[2] == op.name.lower() or op.name == "Pow"
    given = operands(expr) if is_own else []
    if len(given) >= count:
        return [f"({each})" if op.name == "Pow" and " " in each else each for each in given[:count]]
    return [each.text or scene.name_of(each.value) for each in op.inputs[:count]]


def _zero_times_inf(scene: Scene[Any]) -> Words:
    return Words(
        "here NaN or infinity first appears",
        f"NaN or infinity first appears at {scene.expr} in line {scene.line}, and all that it was given is finite.",
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


def _overflow(scene: Scene[Any]) -> Words:
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


def _nan_input(scene: Scene[Any]) -> Words:
    value = scene.facts["value"]
    numbers = scene.flow.numbers.get(value)
    if "named" in scene.facts:
        return _given_with_nan(scene, "NaN" if numbers is not None and numbers.nan else "infinity")
    name = scene.name_of(value)
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


def _given_with_nan(scene: Scene[Any], what: str) -> Words:
    """What NumPy or Python computed: which of its lines made the number, no event says."""
    name, line, place = scene.facts["named"], scene.line, scene.place_line
    better = scene.facts.get("better_filter")
    if better is not None:
        return Words(
            f"this looks for {what} elsewhere, and {name} has it too",
            f"{name} contains {what} where line {line} takes it. Line {place} chooses the rows without, and does not look at "
            f"{name}.",
            better,
        )
    clean = f"np.nan_to_num({name})" if what == "NaN" else f"np.clip({name}, -1e9, 1e9)"
    return Words(
        f"{name} contains {what} from here on",
        f"{name} has its value from line {place}, and contains {what} where line {line} takes it; "
        "it spreads to everything computed from it.",
        f"look at what line {place} computes (0 / 0, the logarithm of 0, an empty cell); or clean it: "
        f"{name} = {clean}",
    )


nan_input = Cause(
    "nan-input", "MT402", says=_nan_input, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _diverged(scene: Scene[Any]) -> Words:
    return Words(
        "the values have grown beyond all bounds",
        f"by line {scene.line} the numbers have grown from step to step until they are not finite.",
        f"a smaller learning rate, a tenth of this one; or clip the gradients: {_clipped(scene)}",
    )


def _clipped(scene: Scene[Any]) -> str:
    """The gradients as the call names them, each no longer than 1."""
    site = scene.flow.innermost(scene.call.event)
    name = scene.call_text if site is None or site.target is None else site.target
    if len(scene.call.event.sources) == 1:
        return f"tf.clip_by_norm({name}, 1.0)"
    return f"[tf.clip_by_norm(g, 1.0) for g in {name}]"


diverged = Cause(
    "diverged",
    "MT402",
    says=_diverged,
    confidence=Confidence.LIKELY,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)
