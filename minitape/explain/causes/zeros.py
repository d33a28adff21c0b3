"""Causes of gradients that are zero: there is a path, but a derivative on it is 0. Their texts are in `texts/zeros.py`."""

import ast
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from minitape.explain.causes.cause import WHICH_NUMBERS, Cause, Facts, FindingContext
from minitape.explain.causes.rewriting import (
    is_number,
    is_place,
    operands,
    parsed,
    with_opposite_condition,
)
from minitape.explain.causes.texts import DiagnosticText, code
from minitape.explain.causes.texts import zeros as texts
from minitape.explain.causes.wording import usual
from minitape.explain.causes.wording.dying import death
from minitape.explain.flow.magnitudes import largest
from minitape.explain.flow.program.functions import OwnFactor
from minitape.explain.report import Confidence, Evidence
from minitape.templates import all_of
from minitape.trace import events
from minitape.trace.events import Numbers

_NEAR = 20  # the maximum number of ops to search for a matrix product
_WEIGHING = (
    "MatMul",
    "BatchMatMulV2",
    "Einsum",
    "Conv1D",
    "Conv2D",
    "Conv3D",
    "DepthwiseConv2dNative",
)
_RELUS = ("Relu", "Relu6")


# --- an op whose derivative is 0 ---


@dataclass(frozen=True, kw_only=True)
class FlatOp(Facts):
    """An op whose derivative is 0 here.

    Attributes:
        op: The event of the op.
        sent: The input of the op whose gradient is 0; None if the op has a single input.
        layer: Whether the finding points at the line that creates the layer in which the op ran.
    """

    op: int
    sent: int | None = None
    layer: bool = False


def _dead_relu(context: FindingContext[FlatOp]) -> DiagnosticText:
    op = context.flow.op(context.facts.op)
    numbers = context.flow.numbers.get(_input(context, op))
    inputs, between = _inputs_of_relu(context, op, numbers), _between(numbers)
    died = death(context, op)
    if died is not None:
        return texts.DEAD_RELU_SINCE_UPDATE(
            inputs=inputs, between=between, update=died.message, advice=died.fix
        )
    return texts.DEAD_RELU(inputs=inputs, between=between, advice=_alive_again(context, op))


def _inputs_of_relu(
    context: FindingContext[FlatOp], op: events.OpEvent, numbers: Numbers | None
) -> str:
    count = 0 if numbers is None else numbers.size
    high = None if numbers is None else numbers.max
    relu = "the ReLU" if op.name in _RELUS else code(context.expr_of(op))
    where = {"relu": relu, "line": context.line_of(op)}
    if high is not None and high > 0:
        return texts.NO_INPUT_WITH_GRADIENT_POSITIVE(**where)
    if high == 0:
        return texts.NO_INPUT_POSITIVE(**where)
    if count == 1:
        return texts.ONLY_INPUT_NEGATIVE(**where)
    return texts.ALL_INPUTS_NEGATIVE(inputs=all_of(count, "inputs"), **where)


dead_relu = Cause(
    "dead-relu",
    "MT401",
    says=_dead_relu,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
    usual=usual.he_initializer,
)


def _alive_again(context: FindingContext[FlatOp], op: events.OpEvent) -> str:
    names = [context.name_of(each.value) for each in op.inputs]
    given = operands(context.whole_expr_of(op)) or names
    x = next((each for each in given if not is_number(each)), given[0])
    if op.name not in _RELUS:
        return texts.KEEP_OR_SOFTPLUS(x=x)
    if not any(context.flow.leads(each, [op.inputs[0].value]) for each in context.flow.variables):
        return texts.REQUEST_WHERE_POSITIVE(x=x)
    product = _product_before(context, op)
    if context.facts.layer:
        return texts.REVIVE_LAYER
    if product is None:
        return texts.START_WHERE_POSITIVE(x=x)
    return _leaky(context, op) if _has_one_sign(context, product) else texts.REVIVE_UNITS


def _has_one_sign(context: FindingContext[FlatOp], product: events.OpEvent) -> bool:
    """Whether all products are negative because one factor is negative everywhere, and not because of a bias."""
    ends = [context.flow.numbers.get(each.value) for each in product.inputs]
    highest = [each.max for each in ends if each is not None and each.max is not None]
    total = product.outputs[0].max
    return total is not None and total < 0.0 and min(highest, default=0.0) < 0.0


def _leaky(context: FindingContext[FlatOp], op: events.OpEvent) -> str:
    written = context.whole_expr_of(op)
    leaky = written.replace("tf.nn.relu(", "tf.nn.leaky_relu(", 1)
    if leaky == written or context.facts.op != context.event.i:
        return texts.LEAKY_UNITS
    return texts.LEAKY_INSTEAD(leaky=code(leaky), relu=code(written), line=context.line_of(op))


def _product_before(context: FindingContext[FlatOp], op: events.OpEvent) -> events.OpEvent | None:
    """Return the matrix product among the preceding ops; None if there is none. Plain arithmetic has no bias to initialize."""
    waiting = [op]
    for each in waiting:
        if len(waiting) > _NEAR:
            break
        behind = filter(None, (context.flow.op_behind(given.value) for given in each.inputs))
        for before in behind:
            if before.name in _WEIGHING:
                return before
            waiting.append(before)
    return None


def _input(context: FindingContext[FlatOp], op: events.OpEvent) -> int:
    """Return the input whose gradient is 0, or the only input of a function of one argument."""
    given = [each.value for each in op.inputs]
    sent = context.facts.sent
    return sent if sent is not None and sent in given else given[0]


def _between(numbers: Numbers | None) -> str:
    """Return the range of some values, as a text that follows their name."""
    if numbers is None or numbers.min is None:
        return ""
    low, high = f"{numbers.min:.4g}", f"{numbers.max:.4g}"
    return texts.ONE_VALUE(low=low) if low == high else texts.RANGE(low=low, high=high)


def _saturated(context: FindingContext[FlatOp]) -> DiagnosticText:
    op = context.flow.op(context.facts.op)
    is_tiny = largest(context.gradient) > 0
    at = {
        "expr": context.the_expr,
        "line": context.line_of(op),
        "between": _between(context.flow.numbers.get(_input(context, op))),
        "derivative": texts.ALMOST_ZERO if is_tiny else texts.ZERO,
        "rounded": "" if is_tiny else texts.IN_FLOATING_POINT,
    }
    died = death(context, op)
    if died is not None:
        return texts.SATURATED_SINCE_UPDATE(update=died.message, advice=died.fix, **at)
    if op.name in ("Sigmoid", "Softmax", "LogSoftmax"):
        return texts.SATURATED_SCORES(**at)
    return texts.SATURATED(**at)


saturated = Cause(
    "saturated", "MT401", says=_saturated, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _clipped(context: FindingContext[FlatOp]) -> DiagnosticText:
    sent = context.facts.sent
    between = _between(context.flow.numbers.get(sent)) if sent is not None else ""
    is_by_other = context.op in ("Minimum", "Maximum") and "clip" not in context.expr
    entry = texts.CLIPPED_BY_OTHER if is_by_other else texts.CLIPPED
    better = _wider(context)
    known = texts.OTHER_SIDE if is_by_other else texts.WIDEN
    advice = (
        known
        if better is None
        else texts.WIDER_LIMITS(better=code(better), written=context.the_whole_expr)
    )
    return entry(expr=context.the_expr, line=context.line, between=between, advice=advice)


def _wider(context: FindingContext[FlatOp]) -> str | None:
    """Return the call with limits beyond all values; None if the limits are not numbers in the call."""
    sent = context.facts.sent
    numbers = None if sent is None else context.flow.numbers.get(sent)
    if numbers is None or numbers.min is None or numbers.max is None:
        return None
    low, high = float(math.floor(numbers.min) - 1), float(math.ceil(numbers.max) + 1)
    match parsed(context.whole_expr):
        case ast.Call(func=ast.Attribute(attr="clip_by_value"), args=[_, _, _]) as call:
            call.args[1:] = [ast.Constant(low), ast.Constant(high)]
        case (
            ast.Call(func=ast.Attribute(attr="maximum" | "minimum" as how), args=[x, limit]) as call
        ):
            if not is_number(ast.unparse(limit)):
                return None
            call.args = [x, ast.Constant(low if how == "maximum" else high)]
        case _:
            return None
    return ast.unparse(ast.fix_missing_locations(call))


clipped = Cause("clipped", "MT401", says=_clipped, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS)


def _flat_call(context: FindingContext[FlatOp]) -> DiagnosticText:
    if not _limits_to_probabilities(context):
        return texts.FLAT_CALL(expr=context.the_expr, line=context.line)
    numbers = context.flow.numbers[_input(context, context.flow.op(context.event.i))]
    given = [each for each in operands(context.whole_expr)[1:2] if is_place(each)]
    return texts.SCORES_AS_PROBABILITIES(
        expr=context.the_expr,
        line=context.line,
        scores=code(given[0]) if given else texts.THE_PREDICTIONS,
        between=_between(numbers),
    )


def _limits_to_probabilities(context: FindingContext[FlatOp]) -> bool:
    """Whether the function limits its inputs to 0 to 1 before it computes their logarithms, and some inputs are outside."""
    flow, op = context.flow, context.flow.op(context.event.i)
    given = flow.numbers.get(_input(context, op))
    limits = [flow.numbers[each.value] for each in op.inputs if each.value != context.facts.sent]
    if op.name not in ("ClipByValue", "Maximum", "Minimum") or given is None or given.min is None:
        return False
    is_outside = given.min < 0 or (given.max or 0) > 1
    is_of_chances = all(each.min is not None and 0 <= each.min <= 1 for each in limits)
    after = map(flow.op_behind, flow.downstream([op.outputs[0].id], context.call.event.i))
    is_logarithm = any(
        each is not None and each.name == "Log" and each.stack == op.stack for each in after
    )
    return is_outside and is_of_chances and is_logarithm


flat_call = Cause(
    "flat-call",
    "MT401",
    says=_flat_call,
    evidence=Evidence.NUMBERS,
    at_rest=True,
    by_hand=WHICH_NUMBERS,
)


@dataclass(frozen=True, kw_only=True)
class OwnRuleIsZero(FlatOp):
    """A gradient function of the user returned only zeros.

    Attributes:
        factor: The factor by which it multiplies the gradient that it receives, where that is known.
    """

    factor: OwnFactor | None = None


def _custom_gradient_zero(context: FindingContext[OwnRuleIsZero]) -> DiagnosticText:
    factor, why, advice = context.facts.factor, "", texts.CHECK_OWN_RULE
    if factor is not None:
        why = texts.OWN_FACTOR_IS_ZERO(factor=code(factor.text), line=factor.line)
    if factor is not None and factor.opposite is not None and factor.condition is not None:
        advice = texts.OPPOSITE_IN_RULE(
            statement=code(factor.opposite), line=factor.line, condition=code(factor.condition)
        )
    return texts.CUSTOM_GRADIENT_ZERO(
        call=context.the_expr, line=context.line, factor=why, advice=advice
    )


custom_gradient_zero = Cause(
    "custom-gradient-zero",
    "MT401",
    says=_custom_gradient_zero,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


@dataclass(frozen=True, kw_only=True)
class Underflow(FlatOp):
    """A product of a gradient and a factor that is too small for its dtype.

    Attributes:
        arrived: The largest absolute value of the gradient that arrives at the op.
        factor: The largest absolute value by which the op multiplies it.
        dtype: The dtype of the product.
    """

    arrived: float
    factor: float
    dtype: str


def _gradient_underflow(context: FindingContext[Underflow]) -> DiagnosticText:
    facts = context.facts
    advice = texts.WIDER_DTYPE if facts.dtype in ("float16", "bfloat16") else texts.SCALE_UP
    return texts.GRADIENT_UNDERFLOW(
        expr=context.the_expr,
        line=context.line,
        arrived=f"{facts.arrived:.2g}",
        factor=f"{facts.factor:.2g}",
        dtype=facts.dtype,
        advice=advice(target=context.the_target),
    )


gradient_underflow = Cause(
    "gradient-underflow",
    "MT401",
    says=_gradient_underflow,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _where_unselected(context: FindingContext[FlatOp]) -> DiagnosticText:
    return texts.WHERE_UNSELECTED(
        expr=context.the_expr, line=context.line, advice=_other_limit(context)
    )


def _other_limit(context: FindingContext[FlatOp]) -> str:
    """Return what to write instead of a condition that is the same for all elements, with the range of its two sides."""
    chosen = context.flow.op_behind(context.flow.op(context.facts.op).inputs[0].value)
    if chosen is None or chosen.name not in ("Greater", "GreaterEqual", "Less", "LessEqual"):
        written = (operands(context.whole_expr) or [context.expr])[0]
        return texts.CHANGE_SELECTION(condition=code(written))
    sides, ranges = [], []
    for each in chosen.inputs:
        name = code(each.text) if each.text else context.called(each.value)
        is_written = is_number(each.text or context.name_of(each.value))
        numbers = context.flow.numbers.get(each.value)
        ranges.append(None if is_written else numbers)
        sides.append(name if is_written else f"{name}{_between(numbers)}")
    left, right = sides
    condition, line = context.expr_of(chosen), context.line_of(chosen)
    better = _with_limit(condition, ranges)
    given = {"condition": code(condition), "line": line, "left": left, "right": right}
    if better is None:
        return texts.CHANGE_CONDITION(**given)
    return texts.LIMIT_IN_RANGE(better=code(better), **given)


def _with_limit(condition: str, ranges: list[Numbers | None]) -> str | None:
    """Return a comparison with the middle of the range in place of a literal limit; None if no side is a literal."""
    node = parsed(condition)
    if not isinstance(node, ast.Compare) or ranges.count(None) != 1:
        return None
    numbers = next(each for each in ranges if each is not None)
    if numbers.min is None or numbers.max is None or numbers.min == numbers.max:
        return None
    limit = ast.Constant(float(f"{(numbers.min + numbers.max) / 2:.3g}"))
    if ranges[0] is None:
        node.left = limit
    else:
        node.comparators = [limit]
    return ast.unparse(node)


where_unselected = Cause(
    "where-unselected",
    "MT401",
    says=_where_unselected,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _step_function(context: FindingContext[FlatOp]) -> DiagnosticText:
    smooth = code(f"tf.tanh({_one(context)} / width)")
    return texts.STEP_FUNCTION(expr=context.the_expr, line=context.line, smooth=smooth)


step_function = Cause(
    "step-function", "MT401", says=_step_function, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _one(context: FindingContext[FlatOp]) -> str:
    """Return the argument of a function of one argument, in a form that can be multiplied or divided."""
    x = context.given(0)
    return x if re.fullmatch(r"[\w.]+(\(.*\)|\[.*\])?", x) else f"({x})"


# --- a second derivative ---


@dataclass(frozen=True, kw_only=True)
class PiecewiseLinear(FlatOp):
    """A piecewise linear function, whose second derivative is 0.

    Attributes:
        requested: The event of the gradient call that computes the first derivative; None if the call of the finding computes it.
    """

    requested: int | None = None


_PIECES = {
    "Abs": texts.ABSOLUTE_VALUE,
    "LeakyRelu": texts.LEAKY_RELU,
    "Relu": texts.RELU,
    "Relu6": texts.RELU6,
}


def _as_layers_write(functions: str) -> str:
    """Return the names as they are passed to a layer, such as "swish" for `tf.nn.swish`."""
    return re.sub(r"tf\.(?:nn\.)?(\w+)", r'"\1"', functions)


def _piecewise_linear(context: FindingContext[PiecewiseLinear]) -> DiagnosticText:
    function = _PIECES.get(context.op or "", texts.ANOTHER_FUNCTION)
    needs_argument = bool(function.smooth.placeholders)
    smooth = function.smooth(x=_one(context)) if needs_argument else function.smooth()
    requested = context.facts.requested
    smooth = _as_layers_write(smooth) if context.facts.layer else smooth
    return texts.PIECEWISE_LINEAR(
        function=function.name,
        derivatives=function.derivatives,
        line=context.line,
        requested=context.line_of(
            context.flow.placed(context.call.event.i if requested is None else requested)
        ),
        advice=_smooth_instead(context, smooth),
    )


def _smooth_instead(context: FindingContext[PiecewiseLinear], smooth: str) -> str:
    """Return what to write instead of a piecewise linear function; the functions to choose from if a layer calls it."""
    written = context.whole_expr
    match parsed(written):
        case ast.Call(func=ast.Attribute(attr="relu" | "relu6" | "leaky_relu"), args=[x, *_]):
            better, others = f"tf.nn.softplus({ast.unparse(x)})", texts.OTHER_SMOOTH
        case ast.Call(func=ast.Attribute(attr="abs"), args=[_]):
            better, others = smooth.strip("`"), ""
        case _:
            return texts.SMOOTH_FUNCTION(place=context.place_line, smooth=smooth)
    if context.facts.layer or context.line != context.place_line:
        return texts.SMOOTH_FUNCTION(place=context.place_line, smooth=smooth)
    return texts.SMOOTH_INSTEAD(
        better=code(better), written=code(written), line=context.line, others=others
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


# --- contributions that add up to 0 ---


class Sum(Enum):
    """Why a sum of contributions is 0."""

    OF_OUTPUTS = auto()  # the elements of the target sum to a constant
    OF_ONE_UNIT = auto()  # a softmax over an axis of size 1
    REMOVED_LATER = auto()  # a later op removes the source again, as subtracting a mean does
    MEAN_OF_ONE = auto()  # a mean of one element is subtracted from it
    OF_USES = auto()  # the target uses the source in several places


@dataclass(frozen=True, kw_only=True)
class SumsToConstant(Facts):
    """Contributions to a gradient that add up to 0.

    Attributes:
        sum: The reason why the sum is 0.
    """

    sum: Sum = Sum.OF_OUTPUTS


def _sums_to_constant(context: FindingContext[SumsToConstant]) -> DiagnosticText:
    source, target = context.the_source, context.the_target
    expr, line = context.the_expr, context.place_line
    match context.facts.sum:
        case Sum.OF_ONE_UNIT:
            return texts.SOFTMAX_OF_ONE_UNIT(line=line, advice=_other_axis(context))
        case Sum.REMOVED_LATER:
            return texts.CONTRIBUTIONS_CANCEL(
                source=source, target=target, expr=expr, line=context.line
            )
        case Sum.MEAN_OF_ONE:
            return texts.MEAN_OF_ONE_ROW(source=source, expr=expr, line=line)
        case Sum.OF_USES:
            return texts.USES_CANCEL(source=source, target=target, expr=expr, line=line)
        case Sum.OF_OUTPUTS:
            jacobian = code(f"{context.tape_name}.jacobian({context.target}, {context.source})")
            return texts.OUTPUTS_SUM_TO_CONSTANT(
                source=source, target=target, expr=expr, line=line, jacobian=jacobian
            )


def _other_axis(context: FindingContext[SumsToConstant]) -> str:
    """Return the advice for a softmax over one unit: another axis, if that has more units."""
    node = parsed(context.whole_expr)
    op = context.flow.op(context.event.i)
    numbers = context.flow.numbers.get(op.inputs[0].value) if op.inputs else None
    if isinstance(node, ast.Call) and numbers is not None:
        other = _axis_of_elements(context, node, numbers.shape)
        if other is not None:
            return other
    is_wide = numbers is not None and len(numbers.shape) == 2 and max(numbers.shape) > 1
    match node:
        case ast.Call(keywords=[ast.keyword(arg="axis") as axis]) if is_wide:
            axis.value = ast.Constant(-1)
            better = code(ast.unparse(node))
            return texts.LAST_AXIS(better=better, written=context.the_whole_expr)
        case ast.Call(func=ast.Attribute(attr="softmax"), args=[x, *_]):
            better = code(f"tf.sigmoid({ast.unparse(x)})")
            return texts.SIGMOID_INSTEAD(better=better, written=context.the_whole_expr)
    return texts.ONE_UNIT


def _axis_of_elements(
    context: FindingContext[SumsToConstant], call: ast.Call, shape: Sequence[int]
) -> str | None:
    """Return the advice to use another axis in a softmax of a value with the axes of a batch, its elements and their units, as in
    attention; None if it has no such axes.

    The axis over which the weighted elements are added up is the right one. Without such a sum, it is the axis next to the units.
    """
    given = {each.arg: each for each in call.keywords}
    if len(call.args) != 1 or not given.keys() <= {"axis", "name"}:
        return None
    axis = -1
    if "axis" in given:
        try:
            axis = ast.literal_eval(given["axis"].value)
        except ValueError:
            return None
    summed = _axis_of_sum(context)
    wide = [each for each in range(1, len(shape)) if shape[each] > 1]
    if summed is not None and shape[summed % len(shape)] > 1:
        wide = [summed % len(shape)]
    if not isinstance(axis, int) or not wide or len(shape) < 2:
        return None
    if summed is None and len(shape) < 3:
        return None
    other = min(wide, key=lambda each: abs(each - axis % len(shape)))
    written, changed = ast.unparse(call), ast.keyword("axis", ast.Constant(other))
    call.keywords = [changed, *(each for each in call.keywords if each.arg != "axis")]
    return texts.OTHER_AXIS(
        better=code(ast.unparse(call)),
        written=code(written),
        other=other,
        size=shape[other],
        axis=axis,
    )


def _axis_of_sum(context: FindingContext[SumsToConstant]) -> int | None:
    """Return the axis over which the program adds up what it multiplies by the result of the softmax."""
    values = [each.id for each in context.flow.op(context.event.i).outputs]
    for _ in range(3):
        edges = [edge for value in values for edge in context.flow.out_of.get(value, ())]
        users = [each for edge in edges if (each := context.flow.op_behind(edge.end)) is not None]
        for each in users:
            if each.name == "Sum":
                found = re.search(r"axis=(-?\d+)", context.whole_expr_of(each))
                return None if found is None else int(found[1])
        values = [each.outputs[0].id for each in users if each.name == "Mul"]
    return None


sums_to_constant = Cause(
    "sums-to-constant",
    "MT401",
    says=_sums_to_constant,
    confidence=Confidence.LIKELY,
    evidence=Evidence.NUMBERS,
    at_rest=True,
    at_point=True,
    by_hand=texts.NOTHING_LOST,
)


# --- a straight-through estimator without the stop ---


@dataclass(frozen=True, kw_only=True)
class Unstopped(Facts):
    """An addition `x + (q - x)`, in which `q` is a rounded `x`.

    Attributes:
        straight: The index of the operand `x`.
        jump: The event of the op that makes `q` constant between its jumps, such as `tf.round`.
    """

    straight: int
    jump: int


def _straight_through_unstopped(context: FindingContext[Unstopped]) -> DiagnosticText:
    facts = context.facts
    jump = context.flow.placed(facts.jump)
    given = operands(context.whole_expr)
    if len(given) == 2:
        x = code(given[facts.straight])
        better = _with_stop(context.whole_expr, facts.straight)
        advice = texts.STOPPED_DIFFERENCE(
            better=code(better), written=context.the_whole_expr, line=context.line
        )
    else:
        x = context.called(context.flow.op(context.event.i).inputs[facts.straight].value)
        advice = texts.STOP_THE_DIFFERENCE
    return texts.UNSTOPPED_DIFFERENCE(
        expr=context.the_expr,
        line=context.line,
        x=x,
        jump=code(context.expr_of(jump)),
        jump_line=context.line_of(jump),
        advice=advice,
        incomplete=context.incomplete,
    )


def _with_stop(written: str, straight: int) -> str:
    """Return a sum or a call of two arguments in which the operand other than `straight` is stopped."""
    node = parsed(written)
    stop = ast.Call(ast.Name("tf.stop_gradient"), [], [])
    match node:
        case ast.BinOp(left=left) if straight == 1:
            stop.args, node.left = [left], stop
        case ast.BinOp(right=right):
            stop.args, node.right = [right], stop
        case ast.Call(args=args):
            stop.args, args[1 - straight] = [args[1 - straight]], stop
    return written if node is None else ast.unparse(node)


straight_through_unstopped = Cause(
    "straight-through-unstopped",
    "MT401",
    says=_straight_through_unstopped,
    evidence=Evidence.NUMBERS,
)


# --- a factor that is 0 ---


@dataclass(frozen=True, kw_only=True)
class ZeroInit(Facts):
    """A variable whose elements are all 0 and which multiplies a gradient.

    Attributes:
        factor: The variable.
        other: The source, if it is the other factor and all its elements are 0 too.
        initializer: The argument of the layer that initializes the variable; None if the program creates it itself.
    """

    factor: int
    other: int | None = None
    initializer: str | None = None


def _zero_init(context: FindingContext[ZeroInit]) -> DiagnosticText:
    factor, other = context.facts.factor, context.facts.other
    name = context.name_of(factor)
    random = f"tf.Variable({_noise(context, factor)})"
    start = code(f"{name} = {random}" if is_place(name) else random)
    if context.facts.initializer is not None:
        start = code(f'{context.facts.initializer}="glorot_uniform"')
    made = context.flow.variables.get(factor)
    statement = "" if made is None else " ".join(context.code_of(made).split())
    if made is not None and re.match(r"(self\.)?\w+ = tf\.Variable\(.*\)$", statement):
        given = statement.partition(" = ")[0]
        start = texts.STATEMENT_OF_LINE(
            statement=code(f"{given} = {random}"), line=context.line_of(made)
        )
    if other is not None:
        return texts.ZERO_INIT_OF_BOTH(
            name=context.called(factor),
            other=context.called(other),
            source=context.the_source,
            start=start,
        )
    return texts.ZERO_INIT(
        name=context.called(factor),
        source=context.the_source,
        start=start,
        or_trained=_or_trained(context, factor),
    )


def _noise(context: "FindingContext[ZeroInit] | FindingContext[Stationary]", value: int) -> str:
    """Return code that makes small random values in the shape of a value."""
    numbers = context.flow.numbers.get(value)
    shape = "shape" if numbers is None else numbers.shape
    return f"tf.random.normal({shape}, stddev=0.1)"


def _or_trained(context: FindingContext[ZeroInit], factor: int) -> str:
    """Return the advice to train a zero factor too, because it stays 0 as long as its gradient is never requested."""
    requested = {
        source.value for call in context.flow.calls.values() for source in call.event.sources
    }
    variable = context.flow.variables.get(factor)
    if factor in requested or variable is None or not variable.trainable:
        return ""
    return texts.OR_TRAINED(name=context.called(factor), line=context.line_of(context.call.event))


zero_init = Cause(
    "zero-init", "MT401", says=_zero_init, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


@dataclass(frozen=True, kw_only=True)
class MaskedOut(Facts):
    """A factor that is 0 everywhere, or a selection of no elements.

    Attributes:
        factor: The value that is 0 everywhere; None if nothing was selected.
    """

    factor: int | None = None


@dataclass(frozen=True, kw_only=True)
class AllMasked(MaskedOut):
    """A mask that is False everywhere, because all ids are 0: a layer skips every step.

    Attributes:
        skipped: The event of an op of that layer.
    """

    skipped: int


def _masked_out(context: FindingContext[MaskedOut]) -> DiagnosticText:
    expr, line = context.the_expr, context.line
    facts = context.facts
    if isinstance(facts, AllMasked):
        layer = context.flow.placed(facts.skipped)
        return texts.ALL_MASKED(
            expr=expr,
            line=line,
            ids=context.called(facts.factor or 0),
            layer=code(context.expr_of(layer)),
            layer_line=context.line_of(layer),
        )
    if context.facts.factor is None:
        return texts.NOTHING_SELECTED(expr=expr, line=line, selection=code(_selection(context)))
    if context.name_of(context.facts.factor) == context.expr:
        return texts.MASKED_OUT_INSIDE(expr=expr, line=line)
    name = context.called(context.facts.factor)
    underflow = _underflowing(context, context.facts.factor)
    if underflow is not None:
        return _underflow(context, name, underflow)
    return texts.MASKED_OUT(name=name, expr=expr, line=line, advice=_other_factor(context, name))


class _Lost(NamedTuple):
    """A number that is not 0, but became 0 in a narrow dtype: as the program writes it, its value, and the dtype."""

    written: str
    value: float
    dtype: str


# The smallest positive number of each dtype, as text.
_SMALLEST = {
    "bfloat16": "9.2e-41",
    "float16": "6.0e-08",
    "float32": "1.4e-45",
    "float64": "4.9e-324",
}


def _underflowing(context: FindingContext[MaskedOut], factor: int) -> _Lost | None:
    """Return the number that underflows in a factor of zeros; None if the factor was computed as 0."""
    born, flow = context.flow.born.get(factor), context.flow
    dtype = flow.dtype(factor)
    if dtype not in _SMALLEST:
        return None
    if isinstance(born, events.OpEvent) and born.name == "Cast":
        given = flow.numbers.get(born.inputs[0].value)
        written = (operands(context.whole_expr_of(born)) or [""])[0]
        if given is not None and given.max and flow.dtype(given.id) != dtype and written:
            return _Lost(written, given.max, dtype)
    return None


def _underflow(context: FindingContext[MaskedOut], name: str, lost: _Lost) -> DiagnosticText:
    wide = code("tf.float64" if lost.dtype in ("float32", "float64") else "tf.float32")
    advice = texts.WIDER_PRODUCT(wide=wide)
    match parsed(context.whole_expr):
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            sides = {ast.unparse(left): right, ast.unparse(right): left}
            other = sides.get(name.strip("`"))
            if other is not None:
                advice = texts.WITHOUT_FACTOR(
                    better=code(ast.unparse(other)),
                    written=context.the_whole_expr,
                    line=context.line,
                    factor=code(lost.written),
                    wide=wide,
                )
    return texts.UNDERFLOWS(
        name=name,
        dtype=code(lost.dtype),
        expr=context.the_expr,
        line=context.line,
        value=f"{lost.value:.1e}",
        smallest=_SMALLEST[lost.dtype],
        advice=advice,
    )


def _selection(context: FindingContext[MaskedOut]) -> str:
    """Return the condition or the indices of a selection, as the program writes them."""
    match parsed(context.whole_expr):
        case ast.Call(args=[_, chosen, *_]):
            return ast.unparse(chosen)
        case ast.Subscript(slice=chosen):
            return ast.unparse(chosen)
    return context.expr


def _other_factor(context: FindingContext[MaskedOut], name: str) -> str:
    """Return the advice to change the statement that computes a factor of zeros."""
    born = context.flow.born.get(context.facts.factor or 0)
    statement = "" if born is None else " ".join(context.code_of(born).split())
    if born is None or not statement.startswith(f"{name.strip('`')} = "):
        return texts.OTHER_FACTOR(name=name)
    opposite = with_opposite_condition(statement)
    if opposite is not None:
        return texts.OPPOSITE_CONDITION(statement=code(opposite), line=context.line_of(born))
    return texts.CHANGE_FACTOR(line=context.line_of(born), statement=code(statement), name=name)


masked_out = Cause(
    "masked-out",
    "MT401",
    says=_masked_out,
    evidence=Evidence.NUMBERS,
    at_rest=True,
    by_hand=WHICH_NUMBERS,
)


# --- a minimum or maximum ---


@dataclass(frozen=True, kw_only=True)
class Stationary(FlatOp):
    """A minimum, a maximum or a saddle of a function.

    Attributes:
        zero: The value that is 0 and that the derivative is multiplied by.
        never_leaves: Whether a loop updates the source with gradients that are all 0, although the target is not 0.
    """

    zero: int
    never_leaves: bool = False


def _stationary(context: FindingContext[Stationary]) -> DiagnosticText:
    at = {"expr": context.the_expr, "line": context.line}
    is_square = context.op in ("Square", "Pow", "Mul")
    if context.facts.never_leaves:
        entry = texts.NEVER_LEAVES_SQUARE_OF_ZERO if is_square else texts.NEVER_LEAVES_EXTREMUM
        return entry(source=context.the_source, noise=code(_noise(context, context.value)), **at)
    return (texts.SQUARE_OF_ZERO if is_square else texts.AT_EXTREMUM)(**at)


stationary_point = Cause(
    "stationary-point",
    "MT401",
    says=_stationary,
    confidence=Confidence.POSSIBLE,
    evidence=Evidence.NUMBERS,
    at_rest=True,
    at_point=True,
    by_hand=texts.NO_GRADIENT_LOST,
)
