"""Causes of NaN and infinity: a value or a derivative that is not finite. Their texts are in `texts/nans.py`."""

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from minitape.explain.causes.cause import WHICH_NUMBERS, Cause, Facts, FindingContext
from minitape.explain.causes.rewriting import (
    above_zero,
    guarded_power,
    guarded_root,
    in_brackets,
    is_place,
    operands,
    parsed,
    renamed,
    under_root,
    with_xlogy,
    without_overflow,
)
from minitape.explain.causes.texts import DiagnosticText, Entry, code, joined
from minitape.explain.causes.texts import nans as texts
from minitape.explain.causes.wording import usual
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.inside import is_inside_function
from minitape.explain.report import Confidence, Evidence
from minitape.source_text import lines_of
from minitape.trace import events

# The maximum number of characters of an expression that is repeated inside another one.
_LONGEST = 40


@dataclass(frozen=True)
class BadElement:
    """The first element that is not finite, or for which a function or its derivative is not finite.

    Attributes:
        value: The id of the value that has the element.
        index: Its index, one number for each axis.
        number: The element itself.
        others: The number of other elements that are equal to it.
        written: The value as the op writes it; None if unknown.
        is_result: Whether the value is the result of the op at the finding.
    """

    value: int
    index: tuple[int, ...]
    number: float
    others: int = 0
    written: str | None = None
    is_result: bool = False


@dataclass(frozen=True, kw_only=True)
class OfElement(Facts):
    """A case in which a single element may be the reason.

    Attributes:
        element: That element; None if the trace does not hold the elements, or if there is only one.
    """

    element: BadElement | None = None


def on_element(context: FindingContext[Facts]) -> str:
    """Return the sentence that names the bad element of a case; empty if there is none."""
    element = context.facts.element if isinstance(context.facts, OfElement) else None
    if element is None:
        return ""
    name = element.written or context.name_of(element.value)
    called = code(name)
    is_data = isinstance(context.facts, NanInput)
    if (
        len(name) > _LONGEST
        or (is_data and not _has_name(context, element.value))
        or _is_hidden(context, element)
    ):
        called = _without_name(context, element)
    number = f"{element.number:.7g}"
    known = {"nan": texts.NAN, "inf": texts.INFINITY, "-inf": texts.MINUS_INFINITY}
    others = ""
    if element.others:
        others = texts.ONE_OTHER() if element.others == 1 else texts.OTHERS(count=element.others)
    return texts.ELEMENT(
        index=list(element.index), name=called, number=known.get(number, number), others=others
    )


def _is_hidden(context: FindingContext[Facts], element: BadElement) -> bool:
    """Whether a library function computed the value inside itself, so that the program has no name for it."""
    born = context.flow.born.get(element.value)
    if not isinstance(born, events.OpEvent) or not isinstance(context.event, events.OpEvent):
        return False
    is_own = element.written is not None and is_place(element.written)
    if context.event.name in ("EuclideanNorm", "Sqrt"):
        return False  # the root of 0 is 0, so the sentence is true of the function's result too
    return born.i != context.event.i and born.stack == context.event.stack and not is_own


def _has_name(context: FindingContext[Facts], value: int) -> bool:
    """Whether a value is written in the program's text, and not made by a library function that converts its arguments."""
    born = context.flow.born.get(value)
    is_written = isinstance(born, events.ConstantEvent) and bool(born.text)
    return is_written or is_place(context.name_of(value))


def _without_name(context: FindingContext[Facts], element: BadElement) -> str:
    """Return words for the value that has the bad element, if its expression is too long."""
    if isinstance(context.facts, NanInput):
        return texts.THE_DATA
    if element.is_result:
        return texts.ITS_RESULT
    return texts.THE_DENOMINATOR if context.found.cause is division_by_zero else texts.ITS_INPUT


@dataclass(frozen=True, kw_only=True)
class NotFinite(OfElement):
    """An op that received NaN or infinity, or produced it from finite numbers.

    Attributes:
        met: The input of the op, for causes about the op's domain.
        requested: The gradient call that computed the derivative of the op, if that derivative was differentiated again.
    """

    met: float = 0.0
    requested: int | None = None


# --- tf.where ---


@dataclass(frozen=True, kw_only=True)
class WhereNan(OfElement):
    """An op in a branch of `tf.where` whose result is not finite where the branch is not selected.

    Attributes:
        op: The event of that op.
        roots: The events of roots of 0 from which it is computed.
    """

    op: int
    roots: tuple[int, ...] = ()


def _where_nan(context: FindingContext[WhereNan]) -> DiagnosticText:
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
    return texts.WHERE_NAN(line=context.line, expr=expr, advice=_made_safe(context, op, condition))


def _made_safe(context: FindingContext[WhereNan], op: events.OpEvent, condition: str) -> str:
    """Return the op with a safe argument, to write in its place; in two statements if the op is not an expression of its own."""
    written, culprit = context.whole_expr_of(op), _culprit(context, op)
    safe = _safe(context, op, condition)
    value = safe.strip("`").removeprefix("safe = ")
    better = renamed(written, culprit, value)
    here, there = context.flow.innermost(context.event), context.flow.innermost(op)
    is_known = here is not None and there is not None and here.function == there.function
    if better == written or len(better) > 2 * _LONGEST or condition == "condition" or not is_known:
        return texts.SAFE_FIRST(safe=safe)
    return texts.SAFE_INSIDE(better=code(better), written=code(written), line=context.line_of(op))


where_nan = Cause(
    "where-nan",
    "MT404",
    says=_where_nan,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
    usual=usual.safe_division,
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
    is_second = op.outputs[0].id in _differentiated(context.flow, otherwise)
    branches = f"{inside}, {culprit}" if is_second else f"{culprit}, {inside}"
    return code(texts.SAFE(condition=condition, branches=branches))


def _differentiated(flow: FlowGraph, value: int) -> set[int]:
    """Return the values that get a gradient from `value`; `tf.zeros_like(y)` passes none to `y`."""
    found, waiting = {value}, [value]
    while waiting:
        op = flow.op_behind(waiting.pop())
        if op is not None and flow.primitives[op.name].gradient == "rule":
            waiting += [each.value for each in op.inputs if each.value not in found]
            found.update(each.value for each in op.inputs)
    return found


def _culprit(context: FindingContext[WhereNan], op: events.OpEvent) -> str:
    """Return the argument for which an op is not finite: the denominator, or the argument of a logarithm."""
    given = op.inputs[-1 if op.name == "RealDiv" else 0]
    name = given.text or context.name_of(given.value)
    return name if len(name) <= _LONGEST else "x"


# --- roots, logarithms, divisions ---


def _limits_inputs(context: FindingContext[NotFinite]) -> str | None:
    """Return the advice for an op inside a library function, which the program cannot rewrite; None for the program's own op."""
    if not is_inside_function(context.flow, context.flow.op(context.event.i)):
        return None
    return texts.LIMIT_INPUTS(expr=context.the_expr)


def _infinite_derivative(context: FindingContext[NotFinite]) -> DiagnosticText:
    if context.facts.requested is not None:
        return _second_derivative(context, texts.SECOND_AT_ZERO, context.facts.requested)
    gradient = context.gradient
    is_nan = gradient is None or gradient.nan
    is_known = above_zero(context.whole_expr) is not None
    inside = None if is_known else _limits_inputs(context)
    return texts.INFINITE_AT_ZERO(
        expr=context.the_expr,
        line=context.line,
        consequence=texts.ZERO_TIMES_INFINITY if is_nan else texts.GRADIENT_IS_INFINITE,
        advice=inside or _finite_derivative(context),
    )


def _second_derivative(
    context: FindingContext[NotFinite], entry: Entry, requested: int
) -> DiagnosticText:
    """Return the words for a derivative that was computed by a gradient call, and then differentiated again."""
    return entry(
        expr=context.the_expr,
        line=context.line,
        requested=context.line_of(context.flow.placed(requested)),
        target=context.the_target,
        advice=_guarded_at_zero(context),
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


def _finite_derivative(context: FindingContext[NotFinite]) -> str:
    """Return the advice for an infinite derivative at 0: a large one in its place would only move the problem."""
    is_power = context.op == "Pow"
    if is_power and _is_flat_beside_zero(context):
        return texts.SMALL_NUMBER_INSIDE(above_zero=code(_away_from_zero(context)))
    if not is_power and _is_root_of_squares(context):
        return texts.SMALL_NUMBER_INSIDE(above_zero=code(_away_from_zero(context)))
    return _guarded_at_zero(context)


def _guarded_at_zero(context: FindingContext[NotFinite]) -> str:
    """Return the advice to select the elements that are not 0, before and after the root or power."""
    expr = context.whole_expr
    is_power = context.op == "Pow"
    guarded = guarded_power(expr, _power_at_zero(context)) if is_power else guarded_root(expr)
    if guarded is None:
        known = texts.POWER_GUARDED if is_power else texts.ROOT_GUARDED
        return texts.GUARDED(guarded=code(known), before="")
    before = "" if not guarded.before else texts.WITH_STATEMENT(statement=code(guarded.before))
    return texts.GUARDED(guarded=code(guarded.text), before=before)


def _power_at_zero(context: FindingContext[NotFinite]) -> str:
    """Return the value of the power at 0: 0 to the power 0 is 1. Infinity, to a negative power, is replaced by 0."""
    base, exponent = (each.value for each in context.flow.op(context.event.i).inputs[:2])
    numbers = context.flow.numbers.get(exponent)
    written = operands(context.whole_expr)
    if base == exponent or (len(written) > 1 and written[0] == written[1]):
        return "1.0"
    low, high = (None, None) if numbers is None else (numbers.min, numbers.max)
    is_positive, is_negative = low is not None and low > 0.0, high is not None and high < 0.0
    # Python raises an exception for a negative power of 0.0, such as `0.0 ** (-0.5)`.
    if is_positive or is_negative or len(written) < 2:
        return "0.0"
    return f"0.0 ** {in_brackets(written[1])}"


def _is_flat_beside_zero(context: FindingContext[NotFinite]) -> bool:
    """Whether no exponent of a power is between 0 and 1, so that a small number inside keeps the derivative small."""
    base, exponent = (each.value for each in context.flow.op(context.event.i).inputs[:2])
    numbers = context.flow.numbers.get(exponent)
    if base == exponent or numbers is None or numbers.min is None or numbers.max is None:
        return False
    exponents = [numbers.min] if numbers.data is None else _elements(numbers.data)
    return numbers.max >= 1.0 and all(each == 0.0 or each >= 1.0 for each in exponents)


def _elements(data: Any) -> Iterator[float]:
    """Yield the elements of a nested list; none for None."""
    for each in data if isinstance(data, list) else ():
        yield from _elements(each)
    if data is not None and not isinstance(data, list):
        yield float(data)


_SUMS = {"AddV2", "Add", "AddN", "Mean", "Sum", "Identity", "Reshape", "ExpandDims", "Squeeze"}
_NORMS = ("norm", "reduce_euclidean_norm", "reduce_std")


def _is_root_of_squares(context: FindingContext[NotFinite]) -> bool:
    """Whether the argument of the root is a sum of squares. Its derivative is 0 at 0 too, so a small number inside keeps the
    quotient small.
    """
    called = context.whole_expr.partition("(")[0].rpartition(".")[2]
    if context.op == "Rsqrt":
        return False
    if called in _NORMS:
        return True
    waiting = [context.flow.op(context.event.i).inputs[0].value]
    while waiting:
        op = context.flow.op_behind(waiting.pop())
        if op is None:
            return False
        values = [each.value for each in op.inputs]
        if op.name in _SUMS:
            waiting += values if op.name.startswith("Add") else values[:1]
        elif not _is_square(context, op):
            return False
    return True


def _is_square(context: FindingContext[NotFinite], op: events.OpEvent) -> bool:
    values = [each.value for each in op.inputs]
    if op.name == "Pow":
        power = context.flow.numbers.get(values[1])
        return power is not None and power.min == power.max == 2.0
    return op.name in ("Square", "SquaredDifference") or (
        op.name == "Mul" and values[0] == values[1]
    )


def _away_from_zero(context: FindingContext[NotFinite]) -> str:
    known = texts.POWER_ABOVE_ZERO if context.op == "Pow" else texts.ROOT_ABOVE_ZERO
    return above_zero(context.whole_expr) or known


def _log_of_zero(context: FindingContext[NotFinite]) -> DiagnosticText:
    return texts.LOG_OF_ZERO(expr=context.the_expr, line=context.line, advice=_finite_log(context))


def _finite_log(context: FindingContext[NotFinite]) -> str:
    """Return what to write instead of the logarithm."""
    inside = _log_of_chances(context) or _limits_inputs(context)
    if inside is not None:
        return inside
    better = with_xlogy(context.code_of(context.event), context.whole_expr)
    if better is not None:
        return texts.USE_XLOGY(better=better)
    *factor, x = _arguments(context, len(context.flow.op(context.event.i).inputs))
    safe = f"tf.maximum({x}, 1e-7)"
    log = f"tf.math.xlogy({factor[0]}, {safe})" if factor else f"tf.math.log({safe})"
    if usual.is_of_density(context):
        return texts.LOG_OF_DENSITY(log=log)
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
    "log-of-zero",
    "MT403",
    says=_log_of_zero,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
    usual=usual.from_logits,
)


def _division_by_zero(context: FindingContext[NotFinite]) -> DiagnosticText:
    return texts.DIVISION_BY_ZERO(
        expr=context.the_expr, line=context.line, advice=_finite_ratio(context)
    )


def _normalized(a: str, b: str) -> str | None:
    """Return the advice to normalize, if the denominator is the norm of the numerator itself: `h / tf.norm(h, axis=1)`."""
    node = parsed(b)
    while isinstance(node, ast.Subscript):  # n[:, None]
        node = node.value
    match node:
        case ast.Call(func=ast.Attribute(attr="norm"), args=[x], keywords=settings):
            given = {each.arg: ast.unparse(each.value) for each in settings}
            if ast.unparse(x) != ast.unparse(ast.parse(a)) or given.keys() - {"axis", "keepdims"}:
                return None
            axis = f", axis={given['axis']}" if "axis" in given else ""
            return texts.NORMALIZE(a=a, axis=axis)
    return None


def _mean_of_ragged(context: FindingContext[NotFinite]) -> str | None:
    """Return the mean of each row of a ragged tensor, with 0 for an empty row; None for another division."""
    element = getattr(context.facts, "element", None)
    match parsed(context.whole_expr):
        case ast.Call(
            func=ast.Attribute(attr="reduce_mean"),
            args=[x],
            keywords=[ast.keyword("axis", ast.Constant(1))],
        ) if element is not None and is_place(ast.unparse(x)):
            rows = ast.unparse(x)
        case _:
            return None
    given = context.flow.numbers.get(context.flow.op(context.event.i).inputs[0].value)
    rank = 1 if given is None else len(given.shape)
    lengths = f"tf.cast({rows}.row_lengths(), tf.float32)"
    if rank > 1:
        lengths += f"[:{', None' * (rank - 1)}]"
    return texts.MEAN_OF_RAGGED(
        better=code(f"tf.math.divide_no_nan(tf.reduce_sum({rows}, axis=1), {lengths})"),
        written=context.the_whole_expr,
        line=context.line,
        row=element.index[0] if element.index else 0,
    )


def _finite_ratio(context: FindingContext[NotFinite]) -> str:
    """Return what to write instead of the division."""
    inside = _mean_of_ragged(context) or _limits_inputs(context)
    if inside is not None:
        return inside
    given = operands(context.whole_expr)
    a, b = given if len(given) == 2 else ("a", "b")
    below = context.flow.op(context.event.i).inputs[-1].value
    normalized = _normalized(a, b)
    if normalized is not None:
        return normalized
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
    "Erfinv": texts.FROM_MINUS_ONE_TO_ONE,
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


# The gamma functions are defined between their poles, also where the input is negative.
_WITH_POLES = ("Digamma", "Lgamma")


def _at_a_pole(context: FindingContext[NotFinite], advice: str) -> DiagnosticText:
    return texts.AT_A_POLE(
        met=f"{context.facts.met:g}", expr=context.the_expr, line=context.line, advice=advice
    )


def _edge_of_domain(context: FindingContext[NotFinite]) -> DiagnosticText:
    if context.op == "Atan2":
        y, x = _arguments(context, 2)
        return texts.ANGLE_OF_ORIGIN(expr=context.the_expr, line=context.line, x=x, y=y)
    if context.op in _WITH_POLES:
        advice = texts.KEEP_INSIDE(inside=_kept_inside(context))
        return _at_a_pole(context, _limits_inputs(context) or advice)
    return texts.EDGE_OF_DOMAIN(
        met=f"{context.facts.met:g}",
        expr=context.the_expr,
        line=context.line,
        domain=_DOMAINS[context.op or ""],
        advice=_limits_inputs(context) or texts.KEEP_INSIDE(inside=_kept_inside(context)),
    )


edge_of_domain = Cause(
    "edge-of-domain",
    "MT403",
    says=_edge_of_domain,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _outside_domain(context: FindingContext[NotFinite]) -> DiagnosticText:
    (x,) = _arguments(context, 1)
    advice = _limits_inputs(context) or texts.USE_INSIDE(
        inside=_kept_inside(context), or_positive=_or_positive(context, x)
    )
    if context.op in _WITH_POLES:
        return _at_a_pole(context, advice)
    return texts.OUTSIDE_DOMAIN(
        met=f"{context.facts.met:.9g}",
        expr=context.the_expr,
        line=context.line,
        domain=_DOMAINS[context.op or ""],
        advice=advice,
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
            inside = f"tf.maximum({x}, {step})"
            # A power of itself: the negative exponent would make the small base a huge number.
            return f"{inside} ** {inside if others[0] == x else others[0]}"
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


def _zero_times_inf(context: FindingContext[NotFinite]) -> DiagnosticText:
    requested = context.facts.requested
    if requested is not None:
        at = context.line_of(context.flow.placed(requested))
        return texts.SECOND_NOT_FINITE(
            expr=context.the_expr, line=context.line, requested=at, target=context.the_target
        )
    return texts.ZERO_TIMES_INF(expr=context.the_expr, line=context.line)


zero_times_inf = Cause(
    "zero-times-inf",
    "MT402",
    says=_zero_times_inf,
    confidence=Confidence.POSSIBLE,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _overflow(context: FindingContext[NotFinite]) -> DiagnosticText:
    op = context.flow.op(context.event.i)
    dtype = op.outputs[0].dtype
    known = _LARGEST.get(dtype)
    limit = "" if known is None else texts.LARGEST(largest=known.number)
    advice = texts.SCALE_DOWN_HALF if dtype in _SHORT else texts.SCALE_DOWN
    if context.op == "Exp":
        x = (operands(context.whole_expr) or ["x"])[0]
        advice = texts.LIMIT_EXP(x=x)
        if dtype in _SHORT:
            better, written = code(f"tf.exp(tf.cast({x}, tf.float32))"), code(context.whole_expr)
            advice = texts.EXP_IN_FLOAT32(better=better, written=written, line=context.line)
        stable = without_overflow(context.code_of(op), context.whole_expr)
        if stable is not None:
            advice = texts.WITHOUT_OVERFLOW(
                better=code(stable.better), written=code(stable.written)
            )
        else:
            advice = _shifted_softmax(context, op, x) or advice
        if known is not None:
            limit += texts.EXP_OVERFLOWS(least=known.exponent)
    return texts.OVERFLOW(
        expr=context.the_expr, line=context.line, dtype=code(dtype), limit=limit, advice=advice
    )


def _shifted_softmax(context: FindingContext[NotFinite], op: events.OpEvent, x: str) -> str | None:
    """Return the advice to subtract the maximum before the exponential of a softmax; None if it is not one.

    A softmax divides by the sum of the exponentials. The maximum needs the axis of that sum, because with the maximum of all rows
    a row that is far below it would be 0 / 0.
    """
    value = op.outputs[0].id
    users = [context.flow.op_behind(edge.end) for edge in context.flow.out_of.get(value, ())]
    total = next((each for each in users if each is not None and each.name == "Sum"), None)
    is_divided = any(each is not None and each.name in ("RealDiv", "Div") for each in users)
    if total is None or not is_divided:
        return None
    before, after = (context.flow.numbers.get(each) for each in (value, total.outputs[0].id))
    if before is None or after is None:
        return None
    setting = ""
    if math.prod(after.shape) > 1 or len(after.shape) == len(before.shape) > 1:
        given = re.search(r"axis=(-?\d+)|, *(-?\d+)[,)]", context.whole_expr_of(total))
        if given is None:
            return None
        setting = f", axis={given[1] or given[2]}, keepdims=True"
    return texts.SHIFT_SOFTMAX(
        better=code(f"tf.exp({x} - tf.reduce_max({x}{setting}))"),
        written=context.the_whole_expr,
        line=context.line,
    )


class _Largest(NamedTuple):
    """The largest number of a dtype, and the exponent from which on `exp` overflows; both as text."""

    number: str
    exponent: str


_LARGEST = {
    "bfloat16": _Largest("3.4e38", "88.8"),
    "float16": _Largest("65,504", "11.1"),
    "float32": _Largest("3.4e38", "88.8"),
    "float64": _Largest("1.8e308", "709.8"),
}
_SHORT = ("bfloat16", "float16")


overflow = Cause(
    "overflow", "MT402", says=_overflow, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


@dataclass(frozen=True, kw_only=True)
class Underflow(Facts):
    """A product of numbers that are not 0, which is too small for its dtype and became 0.

    Attributes:
        met: The event of the op that is not finite at this 0.
    """

    met: int


def _underflow(context: FindingContext[Underflow]) -> DiagnosticText:
    op, later = context.flow.op(context.event.i), context.flow.op(context.facts.met)
    dtype = op.outputs[0].dtype
    (x, *_) = operands(context.whole_expr) or ["x"]
    is_log_of_product = op.name in ("Prod", "Cumprod") and later.name == "Log"
    sum_of_logs = f"tf.{'reduce_sum' if op.name == 'Prod' else 'cumsum'}(tf.math.log({x}))"
    return texts.UNDERFLOW(
        expr=context.the_expr,
        line=context.line,
        dtype=code(dtype),
        later=code(context.expr_of(later)),
        later_line=context.line_of(later),
        advice=texts.SUM_OF_LOGS(sum=code(sum_of_logs), log=code(context.expr_of(later)))
        if is_log_of_product
        else texts.ADD_LOGS,
    )


product_underflow = Cause(
    "product-underflow", "MT402", says=_underflow, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


@dataclass(frozen=True, kw_only=True)
class NanInput(OfElement):
    """Data that contain NaN or infinity.

    Attributes:
        value: The value that contains NaN or infinity.
        named: The name of the data where the program computes them, if the finding points there.
        better_filter: The statement that selects the rows without NaN, if it does not check these data yet.
        masked: The softmax that gets a row of minus infinity only.
    """

    value: int
    named: str | None = None
    better_filter: str | None = None
    masked: int | None = None


def _nan_input(context: FindingContext[NanInput]) -> DiagnosticText:
    value = context.facts.value
    numbers = context.flow.numbers.get(value)
    is_nan = numbers is not None and bool(numbers.nan)
    if context.facts.named is not None:
        return _from_line(context, context.facts.named, texts.NAN if is_nan else texts.INFINITY)
    name = context.called(value)
    at = context.with_line(name, context.event)
    if is_nan and not _has_name(context, value):
        return texts.NAN_IN_DATA(line=context.line)
    if is_nan:
        x = context.name_of(value)
        cleaned = f"tf.where(tf.math.is_nan({x}), 0.0, {x})"
        if _is_made_on(context, x):
            cleaned = texts.STATEMENT_AFTER(
                statement=code(f"{x} = {cleaned}"), line=context.place_line
            )
        else:
            cleaned = code(cleaned)
        return texts.NAN_INPUT(name=name, name_with_line=at, cleaned=cleaned)
    numbers = context.flow.numbers.get(value)
    infinite = [each for each in _elements(numbers.data if numbers else None) if math.isinf(each)]
    large = "-1e9" if infinite and max(infinite) < 0 else "1e9"
    if context.facts.masked is not None and large == "-1e9":
        softmax = context.flow.op(context.facts.masked)
        return texts.WHOLE_ROW_MASKED(
            softmax=code(context.expr_of(softmax)),
            softmax_line=context.line_of(softmax),
            name_with_line=at,
            large=code(large),
        )
    return texts.INFINITE_INPUT(name=name, name_with_line=at, large=code(large))


def _is_made_on(context: FindingContext[NanInput], name: str) -> bool:
    """Whether the line to point at assigns a value to a name."""
    program = "" if context.place is None else context.flow.texts.get(context.place.file, "")
    line = "".join(lines_of(program)[context.place_line - 1 : context.place_line])
    return (
        name.isidentifier()
        and re.match(rf"\s*([\w, ]+, )?{name}(, [\w, ]+)? = .*[^\[(,]$", line) is not None
    )


def _from_line(context: FindingContext[NanInput], name: str, what: str) -> DiagnosticText:
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


def _diverged(context: FindingContext[Facts]) -> DiagnosticText:
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
