"""Causes of gradients that are zero: there is a path, but a derivative on it is 0. Their texts are in `texts/zeros.py`."""

import re
from dataclasses import dataclass
from enum import Enum, auto

from minitape.explain.causes.cause import WHICH_NUMBERS, Cause, Facts, FindingContext
from minitape.explain.causes.rewriting import is_number, is_place, operands
from minitape.explain.causes.texts import Words, code
from minitape.explain.causes.texts import zeros as texts
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


def _dead_relu(context: FindingContext[FlatOp]) -> Words:
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
    relu = "relu" if op.name in _RELUS else code(context.expr_of(op))
    where = {"relu": relu, "line": context.line_of(op)}
    if high is not None and high > 0:
        return texts.NO_INPUT_WITH_GRADIENT_POSITIVE(**where)
    if high == 0:
        return texts.NO_INPUT_POSITIVE(**where)
    if count == 1:
        return texts.ONLY_INPUT_NEGATIVE(**where)
    return texts.ALL_INPUTS_NEGATIVE(count=count, **where)


dead_relu = Cause(
    "dead-relu", "MT401", says=_dead_relu, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _alive_again(context: FindingContext[FlatOp], op: events.OpEvent) -> str:
    given = operands(context.expr_of(op)) or [context.name_of(op.inputs[0].value)]
    x = next((each for each in given if not is_number(each)), given[0])
    if op.name not in _RELUS:
        return texts.KEEP_OR_SOFTPLUS(x=x)
    if not any(context.flow.leads(each, [op.inputs[0].value]) for each in context.flow.variables):
        return texts.REQUEST_WHERE_POSITIVE(x=x)
    if context.facts.layer:
        return texts.REVIVE_LAYER
    if not _is_of_a_layer(context, op):
        return texts.START_WHERE_POSITIVE(x=x)
    return texts.REVIVE_UNITS


def _is_of_a_layer(context: FindingContext[FlatOp], op: events.OpEvent) -> bool:
    """Whether a matrix product is near, because plain arithmetic has no bias to initialize to 0."""
    waiting = [op]
    for each in waiting:
        if len(waiting) > _NEAR:
            break
        behind = filter(None, (context.flow.op_behind(given.value) for given in each.inputs))
        for before in behind:
            if before.name in _WEIGHING:
                return True
            waiting.append(before)
    return False


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


def _saturated(context: FindingContext[FlatOp]) -> Words:
    op = context.flow.op(context.facts.op)
    at = {
        "expr": context.the_expr,
        "line": context.line_of(op),
        "between": _between(context.flow.numbers.get(_input(context, op))),
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


def _clipped(context: FindingContext[FlatOp]) -> Words:
    sent = context.facts.sent
    between = _between(context.flow.numbers.get(sent)) if sent is not None else ""
    is_by_other = context.op in ("Minimum", "Maximum") and "clip" not in context.expr
    entry = texts.CLIPPED_BY_OTHER if is_by_other else texts.CLIPPED
    return entry(expr=context.the_expr, line=context.line, between=between)


clipped = Cause("clipped", "MT401", says=_clipped, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS)


def _where_unselected(context: FindingContext[FlatOp]) -> Words:
    return texts.WHERE_UNSELECTED(
        expr=context.the_expr, line=context.line, compared=_compared(context)
    )


def _compared(context: FindingContext[FlatOp]) -> str:
    """Return the two sides of the condition, with the range of their values."""
    chosen = context.flow.op_behind(context.flow.op(context.facts.op).inputs[0].value)
    if chosen is None or chosen.name not in ("Greater", "GreaterEqual", "Less", "LessEqual"):
        return ""
    sides = []
    for each in chosen.inputs:
        name = code(each.text) if each.text else context.called(each.value)
        is_written = is_number(each.text or context.name_of(each.value))
        sides.append(
            name if is_written else f"{name}{_between(context.flow.numbers.get(each.value))}"
        )
    left, right = sides
    return texts.COMPARED(
        condition=code(context.expr_of(chosen)),
        line=context.line_of(chosen),
        left=left,
        right=right,
    )


where_unselected = Cause(
    "where-unselected",
    "MT401",
    says=_where_unselected,
    evidence=Evidence.NUMBERS,
    by_hand=WHICH_NUMBERS,
)


def _step_function(context: FindingContext[FlatOp]) -> Words:
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


def _piecewise_linear(context: FindingContext[PiecewiseLinear]) -> Words:
    function = _PIECES.get(context.op or "", texts.ANOTHER_FUNCTION)
    needs_argument = bool(function.smooth.placeholders)
    smooth = function.smooth(x=_one(context)) if needs_argument else function.smooth()
    requested = context.facts.requested
    return texts.PIECEWISE_LINEAR(
        function=function.name,
        derivatives=function.derivatives,
        line=context.line,
        requested=context.line_of(
            context.flow.placed(context.call.event.i if requested is None else requested)
        ),
        place=context.place_line,
        smooth=_as_layers_write(smooth) if context.facts.layer else smooth,
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


def _sums_to_constant(context: FindingContext[SumsToConstant]) -> Words:
    source, target = context.the_source, context.the_target
    expr, line = context.the_expr, context.place_line
    match context.facts.sum:
        case Sum.OF_ONE_UNIT:
            return texts.SOFTMAX_OF_ONE_UNIT(line=line)
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


# --- a factor that is 0 ---


@dataclass(frozen=True, kw_only=True)
class ZeroInit(Facts):
    """A variable whose elements are all 0 and which multiplies a gradient.

    Attributes:
        factor: The variable.
        other: The source, if it is the other factor and all its elements are 0 too.
    """

    factor: int
    other: int | None = None


def _zero_init(context: FindingContext[ZeroInit]) -> Words:
    factor, other = context.facts.factor, context.facts.other
    name = context.name_of(factor)
    random = f"tf.Variable({_noise(context, factor)})"
    start = code(f"{name} = {random}" if is_place(name) else random)
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


def _noise(context: FindingContext[ZeroInit] | FindingContext[FlatOp], value: int) -> str:
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
    return texts.OR_TRAINED(line=context.line_of(context.call.event))


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


def _masked_out(context: FindingContext[MaskedOut]) -> Words:
    expr, line = context.the_expr, context.line
    if context.facts.factor is None:
        return texts.NOTHING_SELECTED(expr=expr, line=line)
    if context.name_of(context.facts.factor) == context.expr:
        return texts.MASKED_OUT_INSIDE(expr=expr, line=line)
    return texts.MASKED_OUT(name=context.called(context.facts.factor), expr=expr, line=line)


masked_out = Cause(
    "masked-out",
    "MT401",
    says=_masked_out,
    evidence=Evidence.NUMBERS,
    at_rest=True,
    by_hand=WHICH_NUMBERS,
)


# --- a minimum or maximum ---


def _stationary(context: FindingContext[FlatOp]) -> Words:
    at = {"expr": context.the_expr, "line": context.line}
    is_square = context.op in ("Square", "Pow", "Mul")
    if _never_leaves(context):
        entry = texts.NEVER_LEAVES_SQUARE_OF_ZERO if is_square else texts.NEVER_LEAVES_EXTREMUM
        return entry(source=context.the_source, noise=code(_noise(context, context.value)), **at)
    return (texts.SQUARE_OF_ZERO if is_square else texts.AT_EXTREMUM)(**at)


def _never_leaves(context: FindingContext[FlatOp]) -> bool:
    """Whether a loop updates the source with gradients that are all 0, although the target is not 0."""
    updates = [
        each for each in context.flow.assigns[context.value] if each.i > context.call.event.i
    ]
    targets = context.call.event.targets
    return bool(updates) and not all(is_zero(context.flow.numbers.get(each)) for each in targets)


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
