"""Causes of NaN and infinity: a value or a derivative that is not finite. Their texts are in `texts/nans.py`."""

from dataclasses import dataclass

from minitape.explain.causes.cause import WHICH_NUMBERS, Cause, Facts, FindingContext
from minitape.explain.causes.rewriting import above_zero, is_place, operands, under_root, with_xlogy
from minitape.explain.causes.texts import Words, code, joined
from minitape.explain.causes.texts import nans as texts
from minitape.explain.report import Confidence, Evidence
from minitape.trace import events

_LONGEST = 40  # characters of an expression that is repeated inside another


@dataclass(frozen=True, kw_only=True)
class NotFinite(Facts):
    """An op that received NaN or infinity, or produced it from finite numbers.

    Attributes:
        met: The input of the op, for causes about the op's domain.
    """

    met: float = 0.0


# --- tf.where ---


@dataclass(frozen=True, kw_only=True)
class WhereNan(Facts):
    """An op in a branch of `tf.where` that is not finite where the branch is not selected.

    Attributes:
        op: The event of that op.
        roots: The events of roots of 0 from which it is computed.
    """

    op: int
    roots: tuple[int, ...] = ()


def _where_nan(context: FindingContext[WhereNan]) -> Words:
    op = context.flow.op(context.facts.op)
    roots = [context.flow.op(each) for each in context.facts.roots]
    expr = code(context.expr_of(op))
    if roots:
        return texts.WHERE_NAN_OVER_ROOT(
            line=context.line,
            expr=expr,
            root=code(context.expr_of(roots[0])),
            lines=_lines_of(context, roots),
            advice=_guarded_root(context, op, roots),
        )
    chosen = operands(context.whole_expr)[:1]
    condition = chosen[0] if chosen and len(chosen[0]) <= _LONGEST else "condition"
    return texts.WHERE_NAN(line=context.line, expr=expr, safe=_safe(context, op, condition))


where_nan = Cause(
    "where-nan", "MT404", says=_where_nan, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _guarded_root(
    context: FindingContext[WhereNan], op: events.OpEvent, roots: list[events.OpEvent]
) -> str:
    """Return the code to write if a branch is computed from a root of 0, whose derivative stays infinite even if the branch is
    safe.
    """
    lines = _lines_of(context, roots)
    root = context.expr_of(roots[0])
    condition = context.flow.op(context.event.i).inputs[0].value
    requested = [each for each in roots if context.flow.leads(each.outputs[0].id, [condition])]
    square = under_root(root)
    if requested and square is not None:
        # With a small number added inside, the root would be above 0 everywhere, and the condition would always be true.
        (written, *_) = operands(context.whole_expr) or ["condition"]
        return texts.GUARD_BOTH(
            lines=lines,
            square=square,
            safe=_safe(context, op, written),
            culprit=_culprit(context, op),
            line=context.line_of(op),
        )
    better = above_zero(root) or texts.ROOT_ABOVE_ZERO
    if op.inputs[-1].value == roots[0].outputs[0].id:
        return texts.ROOT_FIXES_BOTH(root=better, lines=lines)
    return texts.FIX_BOTH(root=better, lines=lines, expr=code(context.expr_of(op)))


def _lines_of(context: FindingContext[WhereNan], roots: list[events.OpEvent]) -> str:
    return joined(list(dict.fromkeys(str(context.line_of(each)) for each in roots)))


# A value well inside the domain; for all other ops that is 1.
_INSIDE = {
    "Acos": "0.0",
    "Acosh": "2.0",
    "Asin": "0.0",
    "Atanh": "0.0",
    "Erfinv": "0.0",
    "Ndtri": "0.5",
}


def _safe(context: FindingContext[WhereNan], op: events.OpEvent, condition: str) -> str:
    """Return the statement that replaces the unselected elements of an op's argument with values for which the op is finite."""
    culprit, inside = _culprit(context, op), _INSIDE.get(op.name, "1.0")
    otherwise = context.flow.op(context.event.i).inputs[2].value
    is_second = op.outputs[0].id in context.flow.upstream([otherwise])
    branches = f"{inside}, {culprit}" if is_second else f"{culprit}, {inside}"
    return code(texts.SAFE(condition=condition, branches=branches))


def _culprit(context: FindingContext[WhereNan], op: events.OpEvent) -> str:
    """Return the argument for which an op is not finite: the denominator, or the argument of a logarithm."""
    given = op.inputs[-1 if op.name == "RealDiv" else 0]
    name = given.text or context.name_of(given.value)
    return name if len(name) <= _LONGEST else "x"


# --- roots, logarithms, divisions ---


def _infinite_derivative(context: FindingContext[NotFinite]) -> Words:
    gradient = _gradient(context)
    is_nan = gradient is None or gradient.nan
    return texts.INFINITE_AT_ZERO(
        expr=context.the_expr,
        line=context.line,
        consequence=texts.ZERO_TIMES_INFINITY if is_nan else texts.GRADIENT_IS_INFINITE,
        above_zero=code(_away_from_zero(context)),
    )


sqrt_at_zero = Cause(
    "sqrt-at-zero",
    "MT403",
    says=_infinite_derivative,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)
pow_at_zero = Cause(
    "pow-at-zero",
    "MT403",
    says=_infinite_derivative,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _gradient(context: FindingContext[NotFinite]) -> events.Numbers | None:
    """Return the gradient of the source."""
    for result in context.call.results:
        requested = context.call.event.sources[result.source]
        if requested.value == context.value and result.numbers is not None:
            return result.numbers
    return None


def _away_from_zero(context: FindingContext[NotFinite]) -> str:
    known = texts.POWER_ABOVE_ZERO if context.op == "Pow" else texts.ROOT_ABOVE_ZERO
    return above_zero(context.whole_expr) or known


def _log_of_zero(context: FindingContext[NotFinite]) -> Words:
    return texts.LOG_OF_ZERO(expr=context.the_expr, line=context.line, advice=_finite_log(context))


def _finite_log(context: FindingContext[NotFinite]) -> str:
    """Return what to write instead of the logarithm."""
    of_scores = _log_of_chances(context)
    if of_scores is not None:
        return of_scores
    better = with_xlogy(context.code_of(context.event), context.whole_expr)
    if better is not None:
        return texts.USE_XLOGY(better=better)
    *factor, x = _arguments(context, len(context.flow.op(context.event.i).inputs))
    log = f"tf.math.xlogy({factor[0]}, {x} + 1e-12)" if factor else f"tf.math.log({x} + 1e-12)"
    return texts.LOG_ABOVE_ZERO(log=log)


_LOGS = {"Sigmoid": "tf.math.log_sigmoid", "Softmax": "tf.nn.log_softmax"}


def _log_of_chances(context: FindingContext[NotFinite]) -> str | None:
    """Return the logarithm of a softmax or sigmoid in one step; None unless the user's own expression calls the softmax or
    sigmoid.
    """
    chances = context.flow.op_behind(context.flow.op(context.event.i).inputs[0].value)
    rest = False
    if chances is not None and chances.name == "Sub":
        chances, rest = context.flow.op_behind(chances.inputs[1].value), True
    if chances is None or chances.name not in _LOGS or (rest and chances.name == "Softmax"):
        return None
    called, _, given = context.expr_of(chances).partition("(")
    if called.rpartition(".")[2] != chances.name.lower():
        return None
    scores = f"-({given})" if rest else given
    return texts.LOG_IN_ONE_STEP(
        log=f"{_LOGS[chances.name]}({scores}",
        written=context.whole_expr,
        line=context.line_of(chances),
    )


log_of_zero = Cause(
    "log-of-zero", "MT403", says=_log_of_zero, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _division_by_zero(context: FindingContext[NotFinite]) -> Words:
    return texts.DIVISION_BY_ZERO(
        expr=context.the_expr, line=context.line, advice=_finite_ratio(context)
    )


def _finite_ratio(context: FindingContext[NotFinite]) -> str:
    """Return what to write instead of the division."""
    given = operands(context.whole_expr)
    a, b = given if len(given) == 2 else ("a", "b")
    below = context.flow.op(context.event.i).inputs[-1].value
    if "norm(" in b:
        return texts.NORMALIZE(a=a)
    if isinstance(context.flow.born.get(below), events.ConstantEvent) and is_place(b):
        numbers = context.flow.numbers.get(below)
        if numbers is not None and not numbers.shape:
            return texts.KEEP_ABOVE_ZERO(a=a, b=b)
    return texts.DIVIDE_NO_NAN(a=a, b=b)


division_by_zero = Cause(
    "division-by-zero",
    "MT403",
    says=_division_by_zero,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


# --- the domain of a function ---

_DOMAINS = {
    "Acos": texts.FROM_MINUS_ONE_TO_ONE,
    "Acosh": texts.ONE_OR_MORE,
    "Asin": texts.FROM_MINUS_ONE_TO_ONE,
    "Atanh": texts.FROM_MINUS_ONE_TO_ONE,
    "Digamma": texts.ABOVE_ZERO,
    "Erfinv": texts.FROM_MINUS_ONE_TO_ONE,
    "Lgamma": texts.ABOVE_ZERO,
    "Log": texts.ABOVE_ZERO,
    "Log1p": texts.ABOVE_MINUS_ONE,
    "Ndtri": texts.FROM_ZERO_TO_ONE,
    "Pow": texts.ZERO_OR_MORE_FOR_POWERS,
    "Rsqrt": texts.ZERO_OR_MORE,
    "Sqrt": texts.ZERO_OR_MORE,
}
_STEPS = {
    "bfloat16": "1e-2",
    "float16": "1e-3",
}  # the dtype can represent 1 plus this; the larger dtypes can represent 1 + 1e-6


def _edge_of_domain(context: FindingContext[NotFinite]) -> Words:
    if context.op == "Atan2":
        y, x = _arguments(context, 2)
        return texts.ANGLE_OF_ORIGIN(expr=context.the_expr, line=context.line, x=x, y=y)
    return texts.EDGE_OF_DOMAIN(
        met=f"{context.facts.met:g}",
        expr=context.the_expr,
        line=context.line,
        domain=_DOMAINS[context.op or ""],
        inside=_kept_inside(context),
    )


edge_of_domain = Cause(
    "edge-of-domain",
    "MT403",
    says=_edge_of_domain,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _outside_domain(context: FindingContext[NotFinite]) -> Words:
    (x,) = _arguments(context, 1)
    return texts.OUTSIDE_DOMAIN(
        met=f"{context.facts.met:.9g}",
        expr=context.the_expr,
        line=context.line,
        domain=_DOMAINS[context.op or ""],
        inside=_kept_inside(context),
        or_positive=_or_positive(context, x),
    )


outside_domain = Cause(
    "outside-domain",
    "MT403",
    says=_outside_domain,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _kept_inside(context: FindingContext[NotFinite]) -> str:
    """Return the call with its argument limited to the inside of the domain."""
    op = context.flow.op(context.event.i)
    step = _STEPS.get(context.flow.dtype(op.inputs[0].value), "1e-6")
    x, *others = _arguments(context, len(op.inputs))
    called = _called(context)
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


def _or_positive(context: FindingContext[NotFinite], x: str) -> str:
    """Return the code to write for a trained value, which should not be clipped because the gradient of a clipped value is 0."""
    if context.op not in ("Log", "Pow", "Rsqrt", "Sqrt") or not is_place(x):
        return ""
    return texts.OR_POSITIVE(x=x)


def _called(context: FindingContext[NotFinite]) -> str:
    """Return the function as the user writes it; if a layer called it, its TensorFlow name."""
    called = context.whole_expr.partition("(")[0]
    name = (context.op or "").lower()
    return called if called.rpartition(".")[2] == name else f"tf.math.{name}"


def _arguments(context: FindingContext[NotFinite], count: int) -> list[str]:
    """Return the arguments of an op, as the user writes them if the expression is this op alone."""
    op = context.flow.op(context.event.i)
    expr = context.whole_expr
    is_own = expr.partition("(")[0].rpartition(".")[2] == op.name.lower() or op.name == "Pow"
    given = operands(expr) if is_own else []
    if len(given) >= count:
        return [f"({each})" if op.name == "Pow" and " " in each else each for each in given[:count]]
    return [each.text or context.name_of(each.value) for each in op.inputs[:count]]


# --- values that are too large, or NaN from the start ---


def _zero_times_inf(context: FindingContext[NotFinite]) -> Words:
    return texts.ZERO_TIMES_INF(expr=context.the_expr, line=context.line)


zero_times_inf = Cause(
    "zero-times-inf",
    "MT402",
    says=_zero_times_inf,
    confidence=Confidence.POSSIBLE,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _overflow(context: FindingContext[NotFinite]) -> Words:
    advice = texts.SCALE_DOWN
    if context.op == "Exp":
        advice = texts.LIMIT_EXP(x=(operands(context.whole_expr) or ["x"])[0])
    return texts.OVERFLOW(expr=context.the_expr, line=context.line, advice=advice)


overflow = Cause(
    "overflow", "MT402", says=_overflow, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


@dataclass(frozen=True, kw_only=True)
class NanInput(Facts):
    """Data that contain NaN or infinity.

    Attributes:
        value: The value that contains NaN or infinity.
        named: The name of the data where the program computes them, if the finding points there.
        better_filter: The statement that selects the rows without NaN, if it does not check these data yet.
    """

    value: int
    named: str | None = None
    better_filter: str | None = None


def _nan_input(context: FindingContext[NanInput]) -> Words:
    value = context.facts.value
    numbers = context.flow.numbers.get(value)
    is_nan = numbers is not None and bool(numbers.nan)
    if context.facts.named is not None:
        return _from_line(context, context.facts.named, texts.NAN if is_nan else texts.INFINITY)
    name = context.called(value)
    at = context.with_line(name, context.event)
    if is_nan:
        return texts.NAN_INPUT(name=name, name_with_line=at, value=context.name_of(value))
    return texts.INFINITE_INPUT(name=name, name_with_line=at)


def _from_line(context: FindingContext[NanInput], name: str, what: str) -> Words:
    """Return the words for a value that NumPy or Python computed, for which no event shows the op that produced the NaN."""
    at = {"name": code(name), "what": what, "line": context.line, "place": context.place_line}
    better = context.facts.better_filter
    if better is not None:
        return texts.NAN_IN_UNFILTERED(better=better, **at)
    cleaned = f"np.nan_to_num({name})" if what == texts.NAN else f"np.clip({name}, -1e9, 1e9)"
    return texts.NAN_FROM_LINE(clean=f"{name} = {cleaned}", **at)


nan_input = Cause(
    "nan-input", "MT402", says=_nan_input, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _diverged(context: FindingContext[Facts]) -> Words:
    return texts.DIVERGED(line=context.line, clipped=_clipped(context))


def _clipped(context: FindingContext[Facts]) -> str:
    """Return the gradients as the call names them, each clipped to the norm 1."""
    site = context.flow.innermost(context.call.event)
    name = context.call_text if site is None or site.target is None else site.target
    if len(context.call.event.sources) == 1:
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
