"""The notes, declared: slug, code, and the words of a good teacher.

depth        gradients fade or explode from layer to layer, from step to step
underflow    numbers leave the range of their dtype
units        dead, saturated
updates      steps that are too small or too large, a loss that rests
"""

import math
from collections.abc import Sequence

from minitape.explain.notes.kind import Kind, Scene, Words
from minitape.explain.report import Factor, listed
from minitape.trace.events import Numbers

_SQUASHING = {"Sigmoid": "sigmoid", "Softmax": "softmax", "Tanh": "tanh", "Softplus": "softplus"}
_SKIP = "carry the input past it, as in h = h + layer(h)"


def _factor(number: float) -> str:
    return f"{number:.2g}"


_NAMED = 3  # kinds of ops, before the others are told together
_A_TENTH = math.log(1.1)


def _made_of(scene: Scene, whole: float) -> str:
    """The factors that multiply to the whole, as exact as whoever multiplies them wants: `times 0.217 at each of 9 Sigmoid`."""
    told = scene.noted.factors[:_NAMED]
    said = [_times(each) for each in told]
    rest = math.log(whole) - sum(each.times * math.log(each.factor) for each in told)
    if abs(rest) > _A_TENTH:
        said.append(f"times {math.exp(rest):.3g} by all others")
    return listed(said, most=len(said))


def _times(factor: Factor) -> str:
    often = f"each of {factor.times} {factor.op}" if factor.times > 1 else factor.op
    return f"times {factor.factor:.3g} at {often} in line {factor.line}"


def _when(scene: Scene) -> str:
    """In which round the numbers were measured, where there are several."""
    return f"in round {scene.noted.call.event.visit}, " if scene.is_repeated else ""


# --- from layer to layer ---


def _fading_layers(scene: Scene) -> Words:
    facts = scene.facts
    return Words(
        f"the gradient of {scene.target} fades on its way to the first layers",
        f"each of these leaves {_factor(scene.noted.factors[0].factor)} of it",
        f"{_when(scene)}of {_to_last(scene)}, {facts['ratio']:.2g} of its norm is left at {_first(scene)}. "
        f"Less than a thousandth is left {_begins(facts['names'], facts['begins'])}: the first layers hardly learn while the "
        "last ones do.",
        _against_fading(scene),
    )


def _to_last(scene: Scene) -> str:
    names = scene.facts["names"]
    named = f" ({names[0]})" if names else ""
    return f"the gradient that comes back from {scene.target} to the last of {scene.facts['layers']} layers{named}"


def _first(scene: Scene) -> str:
    """Where it has come to, and by which factors."""
    names = scene.facts["names"]
    named = f" ({names[-1]})" if names else ""
    return f"the first{named}: {_made_of(scene, scene.facts['ratio'])}"


def _begins(names: Sequence[str], begins: int) -> str:
    """In which layers it is so, from the one that is so many from the target on."""
    if not names:
        return "there"
    far = names[begins:][::-1]
    return f"in {far[0]} alone" if len(far) == 1 else f"in {far[0]} to {far[-1]}"


def _against_fading(scene: Scene) -> str:
    op = scene.facts["op"]
    if op in _SQUASHING:
        relu = (
            'activation="relu", kernel_initializer="he_normal" here'
            if "activation" in scene.code
            else f"tf.nn.relu in place of {_SQUASHING[op]}, with weights of stddev=(2 / n_inputs) ** 0.5"
        )
        return f"{relu}; or {_SKIP}; or a normalisation before it"
    if scene.facts["weights"]:
        return f"{_usual_start(scene)}; or {_SKIP}; or a normalisation after it"
    return f"leave the factor of {scene.expr} away; or {_SKIP}"


def _usual_start(scene: Scene) -> str:
    """The spread that keeps the size of what passes, for weights of this shape."""
    numbers = scene.flow.numbers[_middle(scene.facts["weights"])]
    spread = "" if numbers.std is None else f" instead of {numbers.std:.2g}"
    *_, into, out = [1, 1, *numbers.shape]
    into *= math.prod(numbers.shape[:-2])
    he, glorot = math.sqrt(2 / into), math.sqrt(2 / (into + out))
    return (
        f"start the weights with stddev={he:.2g}{spread} before a relu ((2 / {into}) ** 0.5, he_normal), with {glorot:.2g} "
        "before another (glorot_normal)"
    )


def _middle(weights: Sequence[int]) -> int:
    """One of a layer between: the first and the last have other shapes."""
    return weights[len(weights) // 2]


def _exploding_layers(scene: Scene) -> Words:
    fix = _usual_start(scene) if scene.facts["weights"] else f"take the factor out of {scene.expr}"
    return Words(
        f"the gradient of {scene.target} explodes on its way to the first layers",
        f"each of these makes it {_factor(scene.noted.factors[0].factor)} times as large",
        f"{_when(scene)}{_to_last(scene)} has {scene.facts['ratio']:.2g} times that norm at {_first(scene)}. No learning rate "
        "suits the first and the last layers both.",
        f"{fix}; meanwhile gradients, _ = tf.clip_by_global_norm(gradients, 1.0)",
    )


fading_layers = Kind("fading-layers", "MT405", says=_fading_layers)
exploding_layers = Kind("exploding-layers", "MT406", says=_exploding_layers)


# --- from step to step ---


def _fading_steps(scene: Scene) -> Words:
    facts = scene.facts
    return Words(
        f"the gradient of {scene.target} fades from step to step: the early steps have no say",
        f"a step back leaves {_factor(_per_step(scene))} of it",
        f"only the last {facts['heard']} of {facts['of']} steps have a say in the gradient of {scene.target}: what comes back "
        f"to the others is less than float32 keeps of the sum. {_each_step(scene)}.",
        "a layer with gates (tf.keras.layers.LSTM or GRU) for a plain recurrence; or start the recurrent weights as "
        "tf.eye(units) or with tf.keras.initializers.Orthogonal(), and use no sigmoid for the state; or a loss at each step",
    )


def _exploding_steps(scene: Scene) -> Words:
    facts = scene.facts
    return Words(
        f"the gradient of {scene.target} explodes from step to step",
        f"a step back makes it {_factor(_per_step(scene))} times as large",
        f"over {facts['layers']} steps what comes back from {scene.target} becomes {facts['ratio']:.1g} times as large. "
        f"{_each_step(scene)}. The smallest change at the start changes all at the end.",
        "clip before the update: gradients, _ = tf.clip_by_global_norm(gradients, 1.0); or fewer steps behind one gradient, with "
        "tf.stop_gradient(state) every so often; or a smaller factor in each step",
    )


def _each_step(scene: Scene) -> str:
    """What a step makes of it, between the first and the last that were measured, and by which factors."""
    steps, ratio = scene.facts["layers"] - 1, scene.facts["ratio"]
    said = (
        f"{_when(scene)}each of {steps} steps back takes its norm times {_per_step(scene):.3g} on average: "
        f"{_made_of(scene, ratio)}"
    )
    return said[0].upper() + said[1:]


def _per_step(scene: Scene) -> float:
    steps: int = scene.facts["layers"]
    ratio: float = scene.facts["ratio"]
    return math.pow(ratio, 1 / max(steps - 1, 1))


fading_steps = Kind("fading-steps", "MT405", says=_fading_steps)
exploding_steps = Kind("exploding-steps", "MT406", says=_exploding_steps)


# --- until they underflow ---


def _underflow(scene: Scene) -> Words:
    facts = scene.facts
    size, limit, dtype = facts["size"], facts["limit"], facts["dtype"]
    if facts["is_product"]:
        return Words(
            f"{scene.target} is {size:.1g}: a product that runs out of numbers, and its gradient with it",
            f"{size:.1g} comes out here",
            f"{scene.expr} in line {scene.place.line} multiplies {facts['count']} numbers below 1 and gives {size:.1g}, near "
            f"the end of what {dtype} can say ({limit:.1g}). The gradient is as small: no step that it leads to can be seen, "
            "and with some more factors both are 0.",
            f"{facts['instead']}: the logarithm of a product is the sum of the logarithms, and has its highest point at the "
            "same place",
        )
    return Words(
        f"the gradient of {scene.target} is smaller than {dtype} can tell",
        f"{size:.1g} at most goes back from here",
        f"what goes back from {scene.expr} in line {scene.place.line} is {size:.1g} at most. Below {limit:.1g} numbers of "
        f"{dtype} lose digits, and soon are 0.",
        f"multiply the target before the gradient is asked for, as in scaled = 1024.0 * {scene.target}, and divide the "
        "gradients by the same in float32; or compute in float32",
    )


underflow = Kind("underflow", "MT405", says=_underflow)


# --- units ---


def _dead_units(scene: Scene) -> Words:
    dead, units = scene.facts["dead"], scene.facts["units"]
    return Words(
        f"{dead} of {units} units of a relu are dead: 0 comes out for every example, and nothing goes back",
        f"{dead} of {units} units give 0 for every example",
        f"{dead} of the {units} units of the relu in line {scene.place.line} get no gradient: below 0 for every example of the "
        "batch, so their weights stay as they are.",
        "start the bias at 0 and the weights with he_normal, take a smaller learning rate if they died on the way, or use "
        'tf.nn.leaky_relu (activation="leaky_relu")',
    )


def _saturated_units(scene: Scene) -> Words:
    name = _SQUASHING[scene.facts["op"]]
    slope: float = scene.facts["slope"]
    inputs = _between(scene.flow.numbers.get(scene.facts["input"]))
    since = f", after {scene.facts['since']} updates" if scene.facts["since"] else ""
    return Words(
        f"{name} is flat for nearly all that comes in{since}",
        f"{slope:.1g} of its slope is left here",
        f"what comes into {name} in line {scene.place.line} lies {inputs}{since}, where it is all but flat: {slope:.1g} of its "
        "steepest slope is left on the average. What stands before it hardly learns.",
        _against_saturation(scene, name),
    )


def _between(numbers: Numbers | None) -> str:
    if numbers is None or numbers.min is None:
        return "far out"
    return f"between {numbers.min:.3g} and {numbers.max:.3g}"


def _against_saturation(scene: Scene, name: str) -> str:
    if name == "softmax":
        return (
            "divide the scores by the root of the size of what was multiplied: scores / size**0.5, where `size` is the last axis "
            "of the queries"
        )
    if scene.facts["since"]:
        return "a smaller learning rate, a hundredth of this one; or tf.clip_by_global_norm(gradients, 1.0) before the update"
    data = scene.facts["data"]
    if data > 10.0:
        scaled = "x / 255.0" if data == 255.0 else "(x - x.mean(axis=0)) / x.std(axis=0)"
        return f"scale what comes in, here up to {data:.4g}: x = {scaled}"
    if name == "softplus":
        return "start nearer to 0: softplus(-2.0) is 0.13, and there an eighth of the slope is left"
    return (
        'start the weights smaller (stddev=(1 / n_inputs) ** 0.5, or kernel_initializer="glorot_uniform"), or put a '
        "normalisation before it"
    )


dead_units = Kind("dead-units", "MT407", says=_dead_units)
saturated_units = Kind("saturated-units", "MT407", says=_saturated_units)


# --- updates ---


def _steps_too_small(scene: Scene) -> Words:
    ratio: float = scene.facts["ratio"]
    moved = "nothing" if not ratio else f"{ratio:.1g} of their size at most"
    return Words(
        f"the updates are too small to change {scene.target}",
        f"moves the weights by {moved}",
        f"the updates in line {scene.place.line} change the weights by {moved}, in each of {scene.facts['rounds']} rounds; "
        f"about a thousandth is usual. The gradients are not to blame: their size is up to {scene.facts['gradient']:.2g}.",
        f"a larger learning rate: {_rate(scene)}",
    )


def _rate(scene: Scene) -> str:
    """A rate that moves the weights by about a thousandth."""
    ratio, rate = scene.facts["ratio"], scene.facts["rate"]
    if not (ratio and rate):
        return "tf.keras.optimizers.Adam(1e-3), or 0.01 for plain descent"
    better = rate * 1e-3 / ratio
    return f"{10.0 ** round(math.log10(better)):.0e}, where it is about {rate:.0e} now"


def _steps_too_large(scene: Scene) -> Words:
    facts = scene.facts
    given: float = facts["data"]
    what = (
        f"scale what comes in, here up to {given:.4g}: x = (x - x.mean(axis=0)) / x.std(axis=0), and the targets too"
        if given > 100.0
        else "a smaller learning rate: a hundredth of this one, or tf.keras.optimizers.Adam(1e-3), whose steps stay small"
    )
    leap = (
        f"takes weights of size {facts['was']:.2g} to {facts['now']:.2g}, and"
        if facts["now"]
        else "steps over the lowest point and lands higher up on the other side:"
    )
    return Words(
        f"the updates are too large: {scene.target} grows",
        f"after it, {scene.target} goes from {facts['before']:.3g} to {facts['after']:.3g}",
        f"the update in line {scene.place.line} {leap} {scene.target} goes from {facts['before']:.3g} to {facts['after']:.3g}.",
        f"{what}; tf.clip_by_global_norm(gradients, 1.0) holds back single leaps",
    )


def _loss_at_rest(scene: Scene) -> Words:
    facts = scene.facts
    told = f"{scene.target} is {facts['loss']:.4g} in each of {facts['rounds']} rounds, to the last digit"
    names = scene.asked or listed(
        [source.name for source in scene.noted.call.event.sources], most=2
    )
    if facts["is_reset"]:
        return Words(
            f"{scene.target} does not move: the weights are set back in each round",
            "set back to the same numbers each round",
            f"{told}. Line {scene.place.line} gives {names} the same numbers in each round, so that each update is lost.",
            "move this line before the loop",
        )
    others = listed([scene.name_of(variable) for variable in facts["others"]], most=2)
    return Words(
        f"{scene.target} does not move: the updates go to other variables",
        f"changes {others}, not {names}",
        f"{told}. The gradients are those of {names}, and line {scene.place.line} changes {others}, which {scene.target} is "
        "not computed from.",
        _of_the_asked(scene, names),
    )


def _of_the_asked(scene: Scene, names: str) -> str:
    """The line of the update, for the variables that the gradient was asked for."""
    if "zip(" in scene.code:
        return f"zip(gradients, {names})"
    changed, dot, update = scene.code.strip().partition(".")
    is_plain = changed.isidentifier() and names.isidentifier()
    return names + dot + update if is_plain else f"change what the gradient was asked for: {names}"


steps_too_small = Kind("steps-too-small", "MT408", says=_steps_too_small)
steps_too_large = Kind("steps-too-large", "MT408", says=_steps_too_large)
loss_at_rest = Kind("loss-at-rest", "MT408", says=_loss_at_rest)

# All kinds by slug.
KINDS: dict[str, Kind] = {
    each.slug: each
    for each in (
        fading_layers, fading_steps, underflow, exploding_layers, exploding_steps, dead_units, saturated_units, steps_too_small,
        steps_too_large, loss_at_rest,
    )
}  # fmt: skip
