"""The kinds of notes, declared: slug, code, facts and text. The texts are in `explain/texts/notes.py`.

depth        gradients that vanish or explode from layer to layer, or from step to step of a recurrence
underflow    numbers close to the smallest ones of their dtype
units        dead or saturated units
updates      updates that are too small or too large, a loss that does not change
"""

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from minitape.explain.causes.rewriting import parsed
from minitape.explain.notes.kind import Facts, NoteContext, NoteKind
from minitape.explain.report import ScalingFactor, listed, source_quoted
from minitape.explain.texts import notes as texts
from minitape.source_text import walk
from minitape.templates import NoteText, code, joined
from minitape.trace.events import Numbers

_SQUASHING = {"Sigmoid": "sigmoid", "Softmax": "softmax", "Tanh": "tanh", "Softplus": "softplus"}
_NAMED = 3  # the maximum number of kinds of ops that are listed individually
_A_TENTH = math.log(1.1)


# --- from layer to layer ---


@dataclass(frozen=True, kw_only=True)
class Trend(Facts):
    """How a gradient changes over some layers, or over some steps of a recurrence.

    Attributes:
        ratio: The norm at the last mark, relative to the first; the first is nearest to the target.
        layers: The number of marks.
        begins: The number of marks from the target at which the ratio reaches a thousandth, or a thousand.
        names: The layers, each by its weight; empty if these do not distinguish them.
        op: The op that changes the gradient most.
        weights: The weights of these ops.
        influential: For a recurrence, how many of its last steps influence the gradient.
        of: For a recurrence, the number of steps; 0 for layers.
    """

    ratio: float
    layers: int
    begins: int
    names: tuple[str, ...]
    op: str
    weights: tuple[int, ...]
    influential: int = 0
    of: int = 0


def _vanishing_layers(context: NoteContext[Trend]) -> NoteText:
    facts = context.facts
    return texts.VANISHING_LAYERS(
        target=context.the_target,
        factor=_largest_factor(context),
        ratio=f"{facts.ratio:.2g}",
        layers=facts.layers,
        first=_name(facts.names[-1:]),
        last=_name(facts.names[:1]),
        factors=_factors(context, facts.ratio),
        where=_where(facts),
        iteration=_iteration(context),
        advice=_against_vanishing(context),
    )


def _largest_factor(context: NoteContext[Trend]) -> str:
    return f"{context.note_case.factors[0].factor:.2g}"


def _name(names: Sequence[str]) -> str:
    """Return the name of a layer as a text that follows the word "layer"; empty if it has no name."""
    return texts.NAME(name=source_quoted(names[0])) if names else ""


def _factors(context: NoteContext[Trend], whole: float) -> str:
    """Return the factors whose product is `whole`, up to a factor of 1.1."""
    shown = context.note_case.factors[:_NAMED]
    listing = list(map(_factor, shown))
    rest = math.log(whole) - sum(each.times * math.log(each.factor) for each in shown)
    if abs(rest) > _A_TENTH:
        listing.append(texts.FACTOR_OF_OTHERS(factor=f"{math.exp(rest):.3g}"))
    return joined(listing)


def _factor(factor: ScalingFactor) -> str:
    values = {"factor": f"{factor.factor:.3g}", "op": factor.op, "line": factor.line}
    if factor.times > 1:
        return texts.FACTOR_OF_SEVERAL(times=factor.times, **values)
    return texts.FACTOR(**values)


def _iteration(context: NoteContext[Facts]) -> str:
    """Return the sentence on the iteration in which the numbers were measured; empty if there is only one."""
    return texts.ITERATION(number=context.note_case.call.event.visit) if context.is_repeated else ""


def _where(facts: Trend) -> str:
    """Return the layers at which less than a thousandth is left."""
    if not facts.names:
        return texts.AT_FIRST_LAYER
    far = facts.names[facts.begins :][::-1]
    if len(far) == 1:
        return texts.IN_ONE_LAYER(first=source_quoted(far[0]))
    return texts.IN_LAYERS(first=source_quoted(far[0]), last=source_quoted(far[-1]))


def _against_vanishing(context: NoteContext[Trend]) -> str:
    facts = context.facts
    if facts.op in _SQUASHING:
        if "activation" in context.code:
            return texts.RELU_LAYER
        return texts.RELU_FUNCTION(function=_SQUASHING[facts.op])
    if facts.weights:
        return texts.LARGER_WEIGHTS(start=_usual_start(context))
    return texts.REMOVE_SMALL_FACTOR(expr=context.the_expr)


def _usual_start(context: NoteContext[Trend]) -> str:
    """Return the initialization that keeps the norm of the activations, for weights of this shape."""
    numbers = context.flow.numbers[_middle(context.facts.weights)]
    *_, into, out = [1, 1, *numbers.shape]
    into *= math.prod(numbers.shape[:-2])
    return texts.START_WEIGHTS(
        he=f"{math.sqrt(2 / into):.2g}",
        glorot=f"{math.sqrt(2 / (into + out)):.2g}",
        into=into,
        instead="" if numbers.std is None else texts.INSTEAD_OF(std=f"{numbers.std:.2g}"),
    )


def _middle(weights: Sequence[int]) -> int:
    """Return a layer in the middle, because the shapes of the first and the last layer may be different."""
    return weights[len(weights) // 2]


def _exploding_layers(context: NoteContext[Trend]) -> NoteText:
    facts = context.facts
    return texts.EXPLODING_LAYERS(
        target=context.the_target,
        factor=_largest_factor(context),
        ratio=f"{facts.ratio:.2g}",
        layers=facts.layers,
        first=_name(facts.names[-1:]),
        last=_name(facts.names[:1]),
        factors=_factors(context, facts.ratio),
        iteration=_iteration(context),
        advice=texts.SMALLER_WEIGHTS(start=_usual_start(context))
        if facts.weights
        else texts.REMOVE_LARGE_FACTOR(expr=context.the_expr),
    )


vanishing_layers = NoteKind("vanishing-layers", "MT405", says=_vanishing_layers)
exploding_layers = NoteKind("exploding-layers", "MT406", says=_exploding_layers)


# --- from step to step ---


def _vanishing_steps(context: NoteContext[Trend]) -> NoteText:
    facts = context.facts
    return texts.VANISHING_STEPS(
        target=context.the_target,
        factor=f"{_per_step(facts):.2g}",
        influential=facts.influential,
        count=facts.of,
        steps=facts.layers - 1,
        average=f"{_per_step(facts):.3g}",
        factors=_factors(context, facts.ratio),
        iteration=_iteration(context),
    )


def _exploding_steps(context: NoteContext[Trend]) -> NoteText:
    facts = context.facts
    return texts.EXPLODING_STEPS(
        target=context.the_target,
        factor=f"{_per_step(facts):.2g}",
        count=facts.layers,
        ratio=f"{facts.ratio:.1g}",
        steps=facts.layers - 1,
        average=f"{_per_step(facts):.3g}",
        factors=_factors(context, facts.ratio),
        iteration=_iteration(context),
    )


def _per_step(facts: Trend) -> float:
    """Return the factor of one step, as the geometric mean."""
    return math.pow(facts.ratio, 1 / max(facts.layers - 1, 1))


vanishing_steps = NoteKind("vanishing-steps", "MT405", says=_vanishing_steps)
exploding_steps = NoteKind("exploding-steps", "MT406", says=_exploding_steps)


# --- until they underflow ---


@dataclass(frozen=True, kw_only=True)
class Underflow(Facts):
    """Numbers close to the smallest ones of their dtype.

    Attributes:
        size: The largest of them.
        limit: The threshold below which they are.
        dtype: Their dtype.
    """

    size: float
    limit: float
    dtype: str


@dataclass(frozen=True, kw_only=True)
class UnderflowOfProduct(Underflow):
    """A product of many small factors.

    Attributes:
        count: The number of factors.
        is_one_op: Whether the product is a single op, `tf.reduce_prod`.
    """

    count: int
    is_one_op: bool


def _underflow(context: NoteContext[Underflow]) -> NoteText:
    facts = context.facts
    at = {
        "target": context.the_target,
        "size": f"{facts.size:.1g}",
        "limit": f"{facts.limit:.1g}",
        "dtype": facts.dtype,
        "expr": context.the_expr,
        "line": context.location.line,
    }
    if isinstance(facts, UnderflowOfProduct):
        advice = texts.SUM_OF_LOGS if facts.is_one_op else texts.ADD_LOGS
        return texts.UNDERFLOW_OF_PRODUCT(count=facts.count, advice=advice, **at)
    return texts.UNDERFLOW_OF_GRADIENT(name=context.target, **at)


underflow = NoteKind("underflow", "MT405", says=_underflow)


# --- units ---


@dataclass(frozen=True, kw_only=True)
class DeadUnits(Facts):
    """Units of a relu whose output is 0 for every example.

    Attributes:
        dead: The number of dead units.
        units: The number of all units.
    """

    dead: int
    units: int


def _dead_units(context: NoteContext[DeadUnits]) -> NoteText:
    return texts.DEAD_UNITS(
        dead=context.facts.dead, units=context.facts.units, line=context.location.line
    )


@dataclass(frozen=True, kw_only=True)
class SaturatedUnits(Facts):
    """An activation that is almost constant for nearly all inputs.

    Attributes:
        op: The activation.
        derivative: The average derivative, relative to its maximum.
        input: Its input.
        data: The largest absolute value of the data.
        since: The number of updates before it was saturated.
    """

    op: str
    derivative: float
    input: int
    data: float
    since: int


def _saturated_units(context: NoteContext[SaturatedUnits]) -> NoteText:
    facts = context.facts
    return texts.SATURATED_UNITS(
        function=_SQUASHING[facts.op],
        line=context.location.line,
        derivative=f"{facts.derivative:.1g}",
        inputs=_between(context.flow.numbers.get(facts.input)),
        since=texts.SINCE(count=facts.since) if facts.since else "",
        advice=_against_saturation(facts),
    )


def _between(numbers: Numbers | None) -> str:
    if numbers is None or numbers.min is None:
        return texts.FAR_FROM_ZERO
    return texts.BETWEEN(low=f"{numbers.min:.3g}", high=f"{numbers.max:.3g}")


def _against_saturation(facts: SaturatedUnits) -> str:
    if facts.op == "Softmax":
        return texts.DIVIDE_SCORES
    if facts.since:
        return texts.SMALLER_RATE
    if facts.data > 10.0:
        scaled = "x / 255.0" if facts.data == 255.0 else "(x - x.mean(axis=0)) / x.std(axis=0)"
        return texts.SCALE_INPUTS(largest=f"{facts.data:.4g}", scaled=scaled)
    return texts.START_NEARER_TO_ZERO if facts.op == "Softplus" else texts.SMALLER_START


dead_units = NoteKind("dead-units", "MT407", says=_dead_units)
saturated_units = NoteKind("saturated-units", "MT407", says=_saturated_units)


# --- updates ---


@dataclass(frozen=True, kw_only=True)
class SmallSteps(Facts):
    """Updates that hardly change the weights.

    Attributes:
        ratio: The norm of the largest update, relative to the weights.
        rate: The same, relative to the gradient.
        gradient: The norm of that gradient.
        iterations: The number of iterations.
    """

    ratio: float
    rate: float
    gradient: float
    iterations: int


def _steps_too_small(context: NoteContext[SmallSteps]) -> NoteText:
    facts = context.facts
    return texts.STEPS_TOO_SMALL(
        target=context.the_target,
        change=texts.AT_MOST(ratio=f"{facts.ratio:.1g}") if facts.ratio else texts.NO_CHANGE,
        line=context.location.line,
        count=facts.iterations,
        gradient=f"{facts.gradient:.2g}",
        rate=_rate(facts),
    )


def _rate(facts: SmallSteps) -> str:
    """Return a learning rate that changes the weights by about a thousandth."""
    if not (facts.ratio and facts.rate):
        return texts.USUAL_RATE
    better = 10.0 ** round(math.log10(facts.rate * 1e-3 / facts.ratio))
    return texts.BETTER_RATE(better=f"{better:.0e}", rate=f"{facts.rate:.0e}")


@dataclass(frozen=True, kw_only=True)
class LargeSteps(Facts):
    """Updates after which the loss is much larger.

    Attributes:
        before: The loss before.
        after: The loss after.
        data: The largest absolute value of the data.
        was: The norm of the weights before a single update that made them much larger; 0 for several updates.
        now: The norm of the weights after it; 0 for several updates.
    """

    before: float
    after: float
    data: float
    was: float = 0.0
    now: float = 0.0


def _steps_too_large(context: NoteContext[LargeSteps]) -> NoteText:
    facts = context.facts
    values = {
        "target": context.the_target,
        "before": f"{facts.before:.3g}",
        "after": f"{facts.after:.3g}",
        "line": context.location.line,
        "advice": texts.SCALE_DATA(largest=f"{facts.data:.4g}")
        if facts.data > 100.0
        else texts.SMALLER_STEPS,
    }
    if facts.now:
        return texts.STEP_TOO_LARGE(was=f"{facts.was:.2g}", now=f"{facts.now:.2g}", **values)
    return texts.STEPS_OVERSHOOT(**values)


@dataclass(frozen=True, kw_only=True)
class LossAtRest(Facts):
    """A loss that is the same in all iterations because the program resets the sources or updates other variables.

    Attributes:
        loss: The loss.
        iterations: The number of iterations.
        others: The variables that are updated instead; empty if the sources are reset.
    """

    loss: float
    iterations: int
    others: tuple[int, ...] = ()


def _loss_at_rest(context: NoteContext[LossAtRest]) -> NoteText:
    facts = context.facts
    sources = [source.name for source in context.note_case.call.event.sources]
    written = context.requested or (sources[0] if len(sources) == 1 else None)
    names = code(written) if written else listed(list(map(source_quoted, sources)), most=2)
    values = {
        "target": context.the_target,
        "loss": f"{facts.loss:.4g}",
        "count": facts.iterations,
        "line": context.location.line,
        "names": names,
    }
    if not facts.others:
        return texts.LOSS_IS_RESET(**values)
    others = listed([code(context.name_of(variable)) for variable in facts.others], most=2)
    better = None if written is None else _of_sources(context, written)
    advice = texts.UPDATE_SOURCES(names=names) if better is None else texts.WRITE(statement=better)
    return texts.OTHERS_ARE_UPDATED(others=others, advice=advice, **values)


def _of_sources(context: NoteContext[LossAtRest], sources: str) -> str | None:
    """Return the line of the update, for the sources of the gradient call."""
    if "zip(" in context.code:
        gradients = _zipped(context.code)
        return None if gradients is None else f"zip({gradients}, {sources})"
    changed, dot, update = context.code.strip().partition(".")
    is_plain = changed.isidentifier() and sources.isidentifier()
    return f"{sources}{dot}{update}" if is_plain else None


def _zipped(line: str) -> str | None:
    """Return the first argument of `zip` on a line; None if the line alone cannot be parsed."""
    tree = parsed(line.strip())
    for node in [] if tree is None else walk(tree):
        match node:
            case ast.Call(func=ast.Name("zip"), args=[first, _]):
                return ast.unparse(first)
    return None


@dataclass(frozen=True, kw_only=True)
class NeverTrained(Facts):
    """A variable that the target uses, and for which no call requests a gradient.

    Attributes:
        variable: The variable.
    """

    variable: int


def _never_trained(context: NoteContext[NeverTrained]) -> NoteText:
    made = context.flow.variables[context.facts.variable]
    site = context.flow.innermost(made)
    name = code(site.target if site is not None and site.target else context.name_of(made.variable))
    return texts.NEVER_TRAINED(
        name=name,
        target=context.the_target,
        line=context.location.line,
        sources=code(context.requested or "sources"),
        better=code(_tracked(name.strip("`"), made.numbers)),
    )


def _tracked(name: str, numbers: Numbers) -> str:
    """Return the statement that creates the variable as a weight of its layer."""
    initializer = '"glorot_uniform"' if numbers.shape else '"zeros"'
    if numbers.min is not None and numbers.min == numbers.max:
        initializer = f"tf.keras.initializers.Constant({numbers.min:g})"
    return f"{name} = self.add_weight(shape={numbers.shape}, initializer={initializer})"


never_trained = NoteKind("never-trained", "MT408", says=_never_trained)
steps_too_small = NoteKind("steps-too-small", "MT408", says=_steps_too_small)
steps_too_large = NoteKind("steps-too-large", "MT408", says=_steps_too_large)
loss_at_rest = NoteKind("loss-at-rest", "MT408", says=_loss_at_rest)

# All kinds by slug.
KINDS: dict[str, NoteKind[Any]] = {
    each.slug: each
    for each in (
        vanishing_layers, vanishing_steps, underflow, exploding_layers, exploding_steps, dead_units, saturated_units,
        steps_too_small,
        steps_too_large, loss_at_rest, never_trained,
    )
}  # fmt: skip
