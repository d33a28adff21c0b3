"""Causes of gradients that are zero: there is a path, but a derivative on it is 0. Their texts are in `texts/zeros.py`."""

import re
from dataclasses import dataclass
from enum import Enum, auto

from minitape.explain.causes.cause import WHICH_NUMBERS, Cause, Facts, Scene
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
        sent: The input of the op whose gradient is 0; None for the only input.
        layer: The finding points at the line that creates the layer in which the op ran.
    """

    op: int
    sent: int | None = None
    layer: bool = False


def _dead_relu(scene: Scene[FlatOp]) -> Words:
    op = scene.flow.op(scene.facts.op)
    numbers = scene.flow.numbers.get(_input(scene, op))
    inputs, between = _inputs_of_relu(scene, op, numbers), _between(numbers)
    died = death(scene, op)
    if died is not None:
        return texts.DEAD_RELU_SINCE_UPDATE(
            inputs=inputs, between=between, update=died.message, advice=died.fix
        )
    return texts.DEAD_RELU(inputs=inputs, between=between, advice=_alive_again(scene, op))


def _inputs_of_relu(scene: Scene[FlatOp], op: events.Op, numbers: Numbers | None) -> str:
    count = 0 if numbers is None else numbers.size
    high = None if numbers is None else numbers.max
    relu = "relu" if op.name in _RELUS else code(scene.expr_of(op))
    where = {"relu": relu, "line": scene.line_of(op)}
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


def _alive_again(scene: Scene[FlatOp], op: events.Op) -> str:
    given = operands(scene.expr_of(op)) or [scene.name_of(op.inputs[0].value)]
    x = next((each for each in given if not is_number(each)), given[0])
    if op.name not in _RELUS:
        return texts.KEEP_OR_SOFTPLUS(x=x)
    if not any(scene.flow.leads(each, [op.inputs[0].value]) for each in scene.flow.variables):
        return texts.REQUEST_WHERE_POSITIVE(x=x)
    if scene.facts.layer:
        return texts.REVIVE_LAYER
    if not _is_of_a_layer(scene, op):
        return texts.START_WHERE_POSITIVE(x=x)
    return texts.REVIVE_UNITS


def _is_of_a_layer(scene: Scene[FlatOp], op: events.Op) -> bool:
    """Whether a product with a matrix is near: plain arithmetic has no bias to initialize to 0."""
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


def _input(scene: Scene[FlatOp], op: events.Op) -> int:
    """The input whose gradient is 0, or the only input of a function of one argument."""
    given = [each.value for each in op.inputs]
    sent = scene.facts.sent
    return sent if sent is not None and sent in given else given[0]


def _between(numbers: Numbers | None) -> str:
    """The range of some values, to follow what they are called."""
    if numbers is None or numbers.min is None:
        return ""
    low, high = f"{numbers.min:.4g}", f"{numbers.max:.4g}"
    return texts.ONE_VALUE(low=low) if low == high else texts.RANGE(low=low, high=high)


def _saturated(scene: Scene[FlatOp]) -> Words:
    op = scene.flow.op(scene.facts.op)
    at = {
        "expr": scene.the_expr,
        "line": scene.line_of(op),
        "between": _between(scene.flow.numbers.get(_input(scene, op))),
    }
    died = death(scene, op)
    if died is not None:
        return texts.SATURATED_SINCE_UPDATE(update=died.message, advice=died.fix, **at)
    if op.name in ("Sigmoid", "Softmax", "LogSoftmax"):
        return texts.SATURATED_SCORES(**at)
    return texts.SATURATED(**at)


saturated = Cause(
    "saturated", "MT401", says=_saturated, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _clipped(scene: Scene[FlatOp]) -> Words:
    sent = scene.facts.sent
    between = _between(scene.flow.numbers.get(sent)) if sent is not None else ""
    is_by_other = scene.op in ("Minimum", "Maximum") and "clip" not in scene.expr
    entry = texts.CLIPPED_BY_OTHER if is_by_other else texts.CLIPPED
    return entry(expr=scene.the_expr, line=scene.line, between=between)


clipped = Cause("clipped", "MT401", says=_clipped, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS)


def _where_unselected(scene: Scene[FlatOp]) -> Words:
    return texts.WHERE_UNSELECTED(expr=scene.the_expr, line=scene.line, compared=_compared(scene))


def _compared(scene: Scene[FlatOp]) -> str:
    """The two sides of the condition, with the range of their values."""
    chosen = scene.flow.op_behind(scene.flow.op(scene.facts.op).inputs[0].value)
    if chosen is None or chosen.name not in ("Greater", "GreaterEqual", "Less", "LessEqual"):
        return ""
    sides = []
    for each in chosen.inputs:
        name = code(each.text) if each.text else scene.called(each.value)
        is_written = is_number(each.text or scene.name_of(each.value))
        sides.append(
            name if is_written else f"{name}{_between(scene.flow.numbers.get(each.value))}"
        )
    left, right = sides
    return texts.COMPARED(
        condition=code(scene.expr_of(chosen)),
        line=scene.line_of(chosen),
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


def _step_function(scene: Scene[FlatOp]) -> Words:
    smooth = code(f"tf.tanh({_one(scene)} / width)")
    return texts.STEP_FUNCTION(expr=scene.the_expr, line=scene.line, smooth=smooth)


step_function = Cause(
    "step-function", "MT401", says=_step_function, evidence=Evidence.NUMBERS, by_hand=WHICH_NUMBERS
)


def _one(scene: Scene[FlatOp]) -> str:
    """The argument of a function of one argument, in a form that can be multiplied or divided."""
    x = scene.given(0)
    return x if re.fullmatch(r"[\w.]+(\(.*\)|\[.*\])?", x) else f"({x})"


# --- a second derivative ---


@dataclass(frozen=True, kw_only=True)
class PiecewiseLinear(FlatOp):
    """A piecewise linear function, whose second derivative is 0.

    Attributes:
        asked: The event of the gradient call that computes the first derivative; None for the call in question itself.
    """

    asked: int | None = None


_PIECES = {
    "Abs": texts.ABSOLUTE_VALUE,
    "LeakyRelu": texts.LEAKY_RELU,
    "Relu": texts.RELU,
    "Relu6": texts.RELU6,
}


def _as_layers_write(functions: str) -> str:
    """The names as arguments of a layer: `tf.nn.swish` is "swish"."""
    return re.sub(r"tf\.(?:nn\.)?(\w+)", r'"\1"', functions)


def _piecewise_linear(scene: Scene[PiecewiseLinear]) -> Words:
    function = _PIECES.get(scene.op or "", texts.ANOTHER_FUNCTION)
    needs_argument = bool(function.smooth.placeholders)
    smooth = function.smooth(x=_one(scene)) if needs_argument else function.smooth()
    asked = scene.facts.asked
    return texts.PIECEWISE_LINEAR(
        function=function.name,
        derivatives=function.derivatives,
        line=scene.line,
        requested=scene.line_of(scene.flow.placed(scene.call.event.i if asked is None else asked)),
        place=scene.place_line,
        smooth=_as_layers_write(smooth) if scene.facts.layer else smooth,
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
        sum: Why they do.
    """

    sum: Sum = Sum.OF_OUTPUTS


def _sums_to_constant(scene: Scene[SumsToConstant]) -> Words:
    source, target = scene.the_source, scene.the_target
    expr, line = scene.the_expr, scene.place_line
    match scene.facts.sum:
        case Sum.OF_ONE_UNIT:
            return texts.SOFTMAX_OF_ONE_UNIT(line=line)
        case Sum.REMOVED_LATER:
            return texts.CONTRIBUTIONS_CANCEL(
                source=source, target=target, expr=expr, line=scene.line
            )
        case Sum.MEAN_OF_ONE:
            return texts.MEAN_OF_ONE_ROW(source=source, expr=expr, line=line)
        case Sum.OF_USES:
            return texts.USES_CANCEL(source=source, target=target, expr=expr, line=line)
        case Sum.OF_OUTPUTS:
            jacobian = code(f"{scene.tape_name}.jacobian({scene.target}, {scene.source})")
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
    """A variable whose elements are all 0, by which a gradient is multiplied.

    Attributes:
        factor: The variable.
        other: The source, if it is the other factor and its elements are all 0 as well.
    """

    factor: int
    other: int | None = None


def _zero_init(scene: Scene[ZeroInit]) -> Words:
    factor, other = scene.facts.factor, scene.facts.other
    name = scene.name_of(factor)
    random = f"tf.Variable({_noise(scene, factor)})"
    start = code(f"{name} = {random}" if is_place(name) else random)
    if other is not None:
        return texts.ZERO_INIT_OF_BOTH(
            name=scene.called(factor),
            other=scene.called(other),
            source=scene.the_source,
            start=start,
        )
    return texts.ZERO_INIT(
        name=scene.called(factor),
        source=scene.the_source,
        start=start,
        or_trained=_or_trained(scene, factor),
    )


def _noise(scene: Scene[ZeroInit] | Scene[FlatOp], value: int) -> str:
    """Small random values in the shape of a value."""
    numbers = scene.flow.numbers.get(value)
    shape = "shape" if numbers is None else numbers.shape
    return f"tf.random.normal({shape}, stddev=0.1)"


def _or_trained(scene: Scene[ZeroInit], factor: int) -> str:
    """A factor whose gradient is never requested stays 0; with its gradient the optimizer would change it."""
    asked = {source.value for call in scene.flow.calls.values() for source in call.event.sources}
    variable = scene.flow.variables.get(factor)
    if factor in asked or variable is None or not variable.trainable:
        return ""
    return texts.OR_TRAINED(line=scene.line_of(scene.call.event))


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


def _masked_out(scene: Scene[MaskedOut]) -> Words:
    expr, line = scene.the_expr, scene.line
    if scene.facts.factor is None:
        return texts.NOTHING_SELECTED(expr=expr, line=line)
    if scene.name_of(scene.facts.factor) == scene.expr:
        return texts.MASKED_OUT_INSIDE(expr=expr, line=line)
    return texts.MASKED_OUT(name=scene.called(scene.facts.factor), expr=expr, line=line)


masked_out = Cause(
    "masked-out",
    "MT401",
    says=_masked_out,
    evidence=Evidence.NUMBERS,
    at_rest=True,
    by_hand=WHICH_NUMBERS,
)


# --- a minimum or maximum ---


def _stationary(scene: Scene[FlatOp]) -> Words:
    at = {"expr": scene.the_expr, "line": scene.line}
    is_square = scene.op in ("Square", "Pow", "Mul")
    if _never_leaves(scene):
        entry = texts.NEVER_LEAVES_SQUARE_OF_ZERO if is_square else texts.NEVER_LEAVES_EXTREMUM
        return entry(source=scene.the_source, noise=code(_noise(scene, scene.value)), **at)
    return (texts.SQUARE_OF_ZERO if is_square else texts.AT_EXTREMUM)(**at)


def _never_leaves(scene: Scene[FlatOp]) -> bool:
    """Whether a loop updates the source with gradients that are all 0, although the target is not 0."""
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
    by_hand=texts.NO_GRADIENT_LOST,
)
