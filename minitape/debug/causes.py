"""The causes: for each its code, and what a good teacher says.

A cause is a function from a scene (what was asked, and the break that was found) to words: `label` stands under the marked
source line, `message` is the whole sentence, `fix` is what to write instead. Each code has a page in `pages/`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from minitape.debug.breaks import Break
from minitape.debug.flow import Call, Flow
from minitape.debug.trace import Event


@dataclass(frozen=True)
class Words:
    label: str
    message: str
    fix: str


@dataclass(frozen=True)
class Cause:
    """One way to lose a gradient."""

    slug: str
    code: str
    say: Callable[["Scene"], Words]


class Scene:
    """What a sentence may need: the call, the source, the break, and how the user writes it all."""

    def __init__(self, flow: Flow, call: Call, source: dict[str, Any], found: Break) -> None:
        self.flow = flow
        self.call = call
        self.found = found
        self.facts = found.facts
        self.event = flow.event(found.event)
        self.source = str(source["name"])
        self.value = int(source["t"] or 0)
        self.target = str(call.event["target_name"] or "the target")
        self.tape = self.with_line("the tape", self._tape_event())

    def _tape_event(self) -> Event | None:
        entered = self.flow.tapes[self.call.tape].entered
        return self.flow.event(entered[0]) if entered else None

    def line_of(self, event: Event | None) -> int | None:
        at = None if event is None else event.get("at")
        return None if at is None else int(at[1])

    def with_line(self, what: str, event: Event | None) -> str:
        line = self.line_of(event)
        return what if line is None else f"{what} (line {line})"

    @property
    def place(self) -> list[Any] | None:
        """Where a teacher would point: `[file, line, column, end line, end column]`."""
        if self.found.at is not None:
            return [*self.found.at, -1, -1, -1]
        if self.found.site is not None:
            return list(self.flow.sites[self.found.site]["at"])
        at = self.event.get("at") or self.call.event["at"]
        return None if at is None else list(at)

    @property
    def place_line(self) -> int:
        return 0 if self.place is None else int(self.place[1])

    def outer_line(self, event: Event) -> int:
        """The line of the outermost call of the user's that led to `event`."""
        return int(self.flow.sites[event["stack"][0]]["at"][1]) if event["stack"] else 0

    @property
    def expr(self) -> str:
        """The user's expression at the break."""
        return self.expr_of(self.event)

    def expr_of(self, event: Event) -> str:
        if not event.get("stack"):
            return str(event.get("name", "this"))
        site = self.flow.sites[event["stack"][-1]]
        text = " ".join(str(site["expr"] or site["code"]).split())
        return text if len(text) <= 60 else text[:57] + "..."

    def code_of(self, event: Event) -> str:
        if not event.get("stack"):
            return ""
        return str(self.flow.sites[event["stack"][-1]]["code"])

    def name_of(self, value: int) -> str:
        name = self.flow.name(value)
        if name is not None:
            return name
        born = self.flow.born.get(value)
        return "the value" if born is None else self.expr_of(born)

    @property
    def result(self) -> str:
        """What the user calls the outcome of the statement to point at, else its expression."""
        if self.found.site is None:
            return self.result_of(self.event)
        site = self.flow.sites[self.found.site]
        return str(site["target"] or site["expr"] or site["code"])

    def result_of(self, event: Event) -> str:
        """What the user calls the outcome of an event's op, else the expression."""
        return str(event.get("target_name") or self.expr_of(event))


# --- the source ---


def _not_watched(scene: Scene) -> Words:
    x = scene.source
    made = scene.with_line(x, scene.event)
    return Words(
        f"{x} is a plain tensor: no tape watches it by itself",
        f"{made} is a tensor, not a variable, and {scene.tape} was never told to watch it. "
        f"{scene.target} does depend on {x}; only the watching is missing.",
        f"tape.watch({x}) as the first line inside the with, or make it a variable: {x} = tf.Variable(...)",
    )


def _watched_too_late(scene: Scene) -> Words:
    x, used = scene.source, scene.flow.event(scene.facts["op"])
    outcome = (
        "the gradient lacks the share that flows through that earlier use"
        if scene.facts.get("partial")
        else "what was computed before is not on it"
    )
    return Words(
        f"too late: {x} was already used in line {scene.line_of(used)}",
        f"tape.watch runs in line {scene.line_of(scene.event)}, but {x} was already used in line "
        f"{scene.line_of(used)}. A tape cannot look back: {outcome}.",
        f"move tape.watch({x}) to the top of the with block",
    )


def _watched_before_build(scene: Scene) -> Words:
    made = scene.flow.event(scene.found.also[0])
    return Words(
        "nothing was watched here: the list was still empty",
        f"tape.watch in line {scene.line_of(scene.event)} was given an empty list: {scene.source} was made only "
        f"afterwards, in line {scene.line_of(made)}. This tape does not watch variables by itself.",
        "call the layer once before the tape opens, so that its variables exist; "
        "or leave watch_accessed_variables away",
    )


def _auto_watch_off(scene: Scene) -> Words:
    return Words(
        "this tape does not watch variables by itself",
        f"{scene.tape} was opened with watch_accessed_variables=False, and {scene.source} was never watched.",
        f"tape.watch({scene.source}) as the first line inside the with, or leave watch_accessed_variables away",
    )


def _not_trainable(scene: Scene) -> Words:
    return Words(
        f"{scene.source} is made with trainable=False",
        f"{scene.with_line(scene.source, scene.event)} was made with trainable=False, so a tape does not watch it by itself. "
        "If it is a statistic that is not meant to learn, this None is as it should be.",
        f"if it should learn: leave trainable=False away, or tape.watch({scene.source}); "
        "if not: ask only for trainable variables",
    )


def _integer_dtype(scene: Scene) -> Words:
    if scene.facts.get("source") is None:
        return Words(
            "from here on whole numbers: no slope",
            f"{scene.expr} in line {scene.line_of(scene.event)} turns the values into whole numbers. They move in jumps, "
            "so there is no slope to follow.",
            "keep a float dtype on the path; convert only what is looked at, not what is differentiated",
        )
    dtype = scene.flow.dtype(scene.value)
    text = scene.expr
    return Words(
        f"{scene.source} is {dtype}: whole numbers have no gradient",
        f"{scene.with_line(scene.source, scene.event)} has dtype {dtype}. Gradients exist for float and complex numbers only.",
        f"give it a float: a decimal point ({_with_point(text)}), or dtype=tf.float32",
    )


def _with_point(text: str) -> str:
    """The user's expression with a decimal point after its first whole number, if there is one alone."""
    import re

    changed = re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"\1.0", text)
    return changed if changed != text else "4.0 instead of 4"


def _string_dtype(scene: Scene) -> Words:
    return Words(
        "from here on text: no slope",
        f"{scene.expr} in line {scene.line_of(scene.event)} turns numbers into text. Text has no slope.",
        "keep the numbers for what is differentiated",
    )


def _bool_dtype(scene: Scene) -> Words:
    return Words(
        "from here on true or false: no slope",
        f"{scene.expr} in line {scene.line_of(scene.event)} turns the values into true and false. "
        "Between the two there is no slope.",
        "use the value itself, or a smooth step: tf.sigmoid((x - threshold) / width)",
    )


def _variable_replaced(scene: Scene) -> Words:
    x = scene.source
    statement = scene.code_of(scene.event)
    if scene.event["k"] == "assign":
        return Words(
            f"what assign gives back takes the name {x}: no tape watches that by itself",
            f"line {scene.line_of(scene.event)} ({statement}) gives the name {x} to what {scene.event['how']} returns. "
            "That shows the variable's value, but a tape does not watch it by itself.",
            f"{statement.partition('=')[2].strip()} as a statement of its own, without `{x} =`",
        )
    return Words(
        f"from here on {x} is a plain tensor, no longer your variable",
        f"{x} was a variable, but line {scene.line_of(scene.event)} ({statement}) put a plain tensor under its name. "
        "A tape watches variables by itself, tensors not.",
        _assign_instead(x, statement),
    )


def _assign_instead(name: str, statement: str) -> str:
    _, _, value = statement.partition("=")
    value = value.strip()
    for operator, method in (("-", "assign_sub"), ("+", "assign_add")):
        head = f"{name} {operator} "
        if value.startswith(head):
            return f"{name}.{method}({value[len(head) :]})"
    return f"{name}.assign({value})" if value else f"{name}.assign(...)"


def _source_is_copy(scene: Scene) -> Words:
    original = scene.name_of(scene.facts["original"])
    source = scene.source
    if scene.facts.get("watched"):
        return Words(
            f"what is watched here is a copy of {source}",
            f"tape.watch in line {scene.line_of(scene.event)} was given a new tensor made from {source}; "
            f"{scene.target} is computed from {source} itself, which nothing watches.",
            f"tape.watch({source})",
        )
    index = source[len(original) :] if source.startswith(original + "[") else ""
    tape = scene.call.event["text"].split(".")[0]
    fix = f"{tape}.gradient({scene.target}, {original}){index}" if index else (
        f"keep the tensor that {scene.target} was computed from under a name, and ask for that one: {original}"
    )  # fmt: skip
    return Words(
        f"this makes a new tensor; {scene.target} was computed from {original} itself",
        f"{source} is a new tensor, made in line {scene.line_of(scene.event)} from {original}. "
        f"{scene.target} was computed from {original}, not from this copy.",
        fix,
    )


def _recreated_variable(scene: Scene) -> Words:
    made = scene.flow.event(scene.found.also[0])
    return Words(
        f"a new variable is made here: not the {scene.source} you ask about",
        f"There are two variables called {scene.source}: {scene.target} was computed from the one made in line "
        f"{scene.place_line}, and you ask about the one made in line {scene.outer_line(made)}, which was never used.",
        "make it once and pass it in as an argument",
    )


# --- outside the tape ---


def _computed_before(scene: Scene) -> Words:
    return Words(
        "computed before the tape began to record",
        f"{scene.result} is computed in line {scene.place_line}, before {scene.tape} opened. "
        f"To the tape its value is just a number.{_share(scene)}",
        f"move line {scene.place_line} into the with block",
    )


def _computed_after(scene: Scene) -> Words:
    return Words(
        "computed after the tape had closed",
        f"{scene.result} is computed in line {scene.place_line}, when {scene.tape} had already closed.",
        f"compute it inside the with block: indent line {scene.place_line}, or move it up",
    )


def _other_tape(scene: Scene) -> Words:
    op = scene.flow.event(scene.facts["op"])
    if scene.event["k"] == "gradient":
        return Words(
            "another tape recorded this, not the one asked here",
            f"{scene.result_of(op)} (line {scene.line_of(op)}) was recorded by another tape; {scene.tape}, which is asked "
            "here, had already closed.",
            "ask the tape that recorded it, or do the whole computation in one with block",
        )
    return Words(
        "this tape starts empty: it never saw the earlier lines",
        f"{scene.result_of(op)} (line {scene.line_of(op)}) was recorded by another tape. "
        f"The one you ask opened later, in line {scene.line_of(scene.event)}, and knows only its value.{_share(scene)}",
        "do the whole computation in one with block",
    )


def _tape_reset(scene: Scene) -> Words:
    return Words(
        "everything recorded before is forgotten here",
        f"reset in line {scene.line_of(scene.event)} erased what the tape had recorded and watched, "
        f"line {scene.line_of(scene.flow.event(scene.found.also[0]))} included.",
        "reset first and compute afterwards (and watch again); or leave the reset away",
    )


def _stop_recording(scene: Scene) -> Words:
    op = scene.flow.event(scene.facts["op"])
    return Words(
        "nothing is recorded inside this block",
        f"line {scene.line_of(op)} runs inside stop_recording (line {scene.line_of(scene.event)}), "
        f"where the tape records nothing.{_share(scene)}",
        f"move line {scene.line_of(op)} out of the stop_recording block",
    )


def _second_order_not_recorded(scene: Scene) -> Words:
    result = scene.expr
    return Words(
        "this gradient is computed where the outer tape does not record",
        f"{result} runs in line {scene.line_of(scene.event)}, while {scene.tape} is not recording. "
        "So the outer tape never saw how that gradient was made.",
        f"indent line {scene.line_of(scene.event)}: the inner gradient call belongs inside the outer with",
    )


def _second_order_linear(scene: Scene) -> Words:
    value = scene.name_of(scene.facts["value"])
    return Words(
        f"{value} is linear in {scene.source}: its slope is a constant",
        f"the first derivative of {value} (line {scene.line_of(scene.event)}) does not depend on {scene.source}, "
        "so the second is zero, and a tape answers None to that.",
        "if it should not be linear, look at that line; for zeros: unconnected_gradients='zero'",
    )


# --- cut in the path ---

_TWINS = {
    "np.mean": "tf.reduce_mean",
    "np.sum": "tf.reduce_sum",
    "np.add.reduce": "tf.reduce_sum",
    "np.max": "tf.reduce_max",
    "np.amax": "tf.reduce_max",
    "np.min": "tf.reduce_min",
    "np.amin": "tf.reduce_min",
    "np.prod": "tf.reduce_prod",
    "np.std": "tf.math.reduce_std",
    "np.var": "tf.math.reduce_variance",
    "np.dot": "tf.tensordot",
    "np.matmul": "tf.matmul",
    "np.log": "tf.math.log",
    "np.log1p": "tf.math.log1p",
    "np.linalg.norm": "tf.norm",
    "np.clip": "tf.clip_by_value",
    "np.concatenate": "tf.concat",
    "np.power": "tf.pow",
    "np.absolute": "tf.abs",
    "np.reshape": "tf.reshape",
    "np.cumsum": "tf.cumsum",
    "np.pow": "tf.pow",
}
_SAME_NAME = {
    "abs", "cos", "einsum", "exp", "maximum", "minimum", "multiply", "add", "subtract", "divide", "sign", "sin",
    "sqrt", "square", "squeeze", "stack", "tan", "tanh", "transpose", "where",
}  # fmt: skip


def _twin_of(via: str) -> str | None:
    if via in _TWINS:
        return _TWINS[via]
    module, _, name = via.rpartition(".")
    return f"tf.{name}" if module == "np" and name in _SAME_NAME else None


def _numpy_roundtrip(scene: Scene) -> Words:
    called, _, arguments = scene.expr.partition("(")
    called = called.strip().replace("numpy.", "np.", 1)
    fix = "stay with tensors: use the tf. function that does the same, on the tensor itself"
    if called.startswith("np."):
        leaving = f"{called} is NumPy's: it takes the numbers out of {_gone(scene)}"
        twin = _twin_of(called)
        if twin is not None and arguments:
            fix = f"{twin}({arguments} instead of {called}({arguments}"
    else:
        leaving = (
            f"{scene.expr} in line {scene.place_line} hands the numbers of {_gone(scene)} to NumPy"
        )
        if scene.facts["via"] == "numpy":
            fix = "leave .numpy() away: work with the tensor itself, and use tf. functions on it"
    return Words("here the value leaves the tape for NumPy", f"{leaving}. {_lost(scene)}", fix)


def _python_scalar(scene: Scene) -> Words:
    called = scene.expr.partition("(")[0].strip()
    fix = "keep the tensor: leave the conversion away, and convert only what you print"
    if called.startswith("math."):
        twin = _twin_of("np." + called[5:])
        fix = f"{twin} instead of {called}" if twin else "use the tf. function that does the same"
    return Words(
        "here the tensor becomes a plain Python number",
        f"{scene.expr} in line {scene.place_line} makes a plain Python number of {_gone(scene)}. {_lost(scene)}",
        fix,
    )


def _gone(scene: Scene) -> str:
    """What left the tape, as the user calls it."""
    names = [scene.name_of(value) for value in scene.event.get("t", ())]
    return " and ".join(dict.fromkeys(names)) or "a tensor"


def _lost(scene: Scene) -> str:
    return (
        f"A tape follows tensors only: what comes back{_back(scene)} is a constant, "
        f"and a constant does not depend on {scene.source}.{_share(scene)}"
    )


def _back(scene: Scene) -> str:
    back = scene.flow.event(scene.found.also[0]) if scene.found.also else None
    line = scene.line_of(back)
    return "" if line is None or line == scene.place_line else f" in line {line}"


def _share(scene: Scene) -> str:
    if not scene.facts.get("partial"):
        return ""
    return " A gradient arrives on other ways, but the share that flows through here is missing."


def _host_callback(scene: Scene) -> Words:
    return Words(
        "NumPy runs inside here: the tape sees only its result",
        f"{scene.expr} in line {scene.line_of(scene.event)} computes with NumPy, out of the tape's sight.",
        "use tf. functions; or tf.py_function with tf. functions inside; or give it a tf.custom_gradient",
    )


_SOFT = {
    "ArgMax": "use the scores themselves: tf.nn.softmax, or a cross entropy on the logits",
    "ArgMin": "use the scores themselves: tf.nn.softmax, or a cross entropy on the logits",
    "Round": "straight through: x + tf.stop_gradient(tf.round(x) - x)",
    "Rint": "straight through: x + tf.stop_gradient(tf.round(x) - x)",
    "Floor": "straight through: x + tf.stop_gradient(tf.floor(x) - x)",
    "Ceil": "straight through: x + tf.stop_gradient(tf.math.ceil(x) - x)",
    "FloorDiv": "divide with / where the slope matters",
    "OneHot": "use the scores themselves instead of the chosen index: tf.nn.softmax",
    "Multinomial": "sample, and weight the log-probability of the sample by its reward",
    "StatelessMultinomial": "sample, and weight the log-probability of the sample by its reward",
    "Range": "tf.linspace has a gradient for its ends",
}
_COMPARING = {"Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual"}


def _non_differentiable(scene: Scene) -> Words:
    op = str(scene.event["name"])
    fix = _SOFT.get(op, "use a smooth op on the path from the source to the target")
    if op in _COMPARING:
        fix = "use the value itself, or a smooth step such as tf.sigmoid; for a yes or no train on a cross entropy"
    reason = str(scene.facts["reason"] or "it has no slope")
    return Words(
        f"no slope here: {reason}",
        f"{scene.expr} in line {scene.line_of(scene.event)} has no gradient by nature: {reason}.",
        fix,
    )


def _stop_gradient(scene: Scene) -> Words:
    return Words(
        "stop_gradient cuts the path here",
        f"tf.stop_gradient in line {scene.line_of(scene.event)} cuts off everything before it, {scene.source} included. "
        "That is its purpose.",
        f"leave stop_gradient away if {scene.source} should learn",
    )


def _state_assign(scene: Scene) -> Words:
    name = scene.name_of(scene.facts["variable"])
    how = scene.event.get("how", "assign")
    return Words(
        f"{how} stores the numbers and forgets where they came from",
        f"{name}.{how} in line {scene.line_of(scene.event)} stores numbers in a variable. "
        f"The tape does not follow what a variable is given, so the way from {scene.source} ends here.",
        f"keep the running value in a tensor: {name} = ... instead of {name}.{how}(...)",
    )


def _new_variable(scene: Scene) -> Words:
    return Words(
        "a copy: it knows the number, not where it came from",
        f"{scene.expr} in line {scene.line_of(scene.event)} starts anew from the numbers; "
        "the way they were computed is left behind.",
        "go on with the tensor itself, without wrapping it",
    )


def _custom_gradient_none(scene: Scene) -> Words:
    return Words(
        "the custom gradient of this function answers None",
        f"the gradient function of {scene.expr} (line {scene.line_of(scene.event)}) returned None for this input.",
        "return one gradient for each argument; look for a missing return",
    )


def _control_flow(scene: Scene) -> Words:
    unreached = scene.facts.get("unreached")
    if unreached is not None:
        return Words(
            f"the branch with {scene.source} did not run",
            f"{scene.source} is used in line {unreached} only, and the condition in line {scene.place_line} never led there.",
            "check the condition, and that the data reach both branches",
        )
    return Words(
        f"{scene.source} only decides here; it is not part of the arithmetic",
        f"{scene.source} is used in line {scene.line_of(scene.event)} only to choose what runs. "
        "A choice jumps: it has no slope.",
        "put it into the arithmetic, for example as a smooth switch: tf.sigmoid((a - x) / width) * value",
    )


# --- no dependence ---


def _unconnected(scene: Scene) -> Words:
    if scene.facts.get("code") == "MT303":
        x, y = scene.source, scene.target
        return Words(
            f"target and source are swapped: {x} was computed from {y}",
            f"{x} was computed from {y}, not the other way round. The target comes first: the gradient of what, by what.",
            f"gradient({x}, {y})",
        )
    leaves = [scene.name_of(value) for value in scene.facts.get("leaves", ())]
    leaves = [name for name in dict.fromkeys(leaves) if name != scene.source]
    made_of = f"It is computed from {', '.join(leaves)}." if leaves else ""
    if scene.facts.get("shape_only"):
        return Words(
            f"only the shape of {scene.source} is used here, not its numbers",
            f"{scene.expr} in line {scene.line_of(scene.event)} looks at the shape alone: {scene.target} does not depend on "
            f"the numbers in {scene.source}.",
            f"use {scene.source} itself where its numbers are meant",
        )
    used = "" if scene.facts.get("used") else f" {scene.source} was never used."
    if scene.facts.get("end"):
        return Words(
            f"what is computed from {scene.source} ends here: nothing uses it",
            f"{scene.result} in line {scene.place_line} is the last that is computed from {scene.source}; nothing that "
            f"{scene.target} is computed from uses it. {made_of}".rstrip(),
            f"use {scene.result} in {scene.target}, or ask for another target",
        )
    return Words(
        f"{scene.source} does not occur in {scene.target}",
        f"{scene.target} does not depend on {scene.source}.{used} {made_of}".rstrip(),
        f"check which value {scene.target} should be computed from; "
        "if this is intended, unconnected_gradients='zero' gives zeros",
    )


def _unused(scene: Scene) -> Words:
    if "dead" not in scene.facts:
        return _unconnected(scene)
    name = scene.facts["name"]
    lost = scene.flow.event(scene.found.also[0])
    return Words(
        f"{name} is computed anew here; its value of line {scene.line_of(lost)} is thrown away",
        f"line {scene.line_of(lost)} computes {name} from {scene.source}, but line {scene.line_of(scene.event)} gives the "
        f"name {name} to something that was not computed from it.",
        f"use {name} in line {scene.line_of(scene.event)}, or give the two values names of their own",
    )


# --- zero ---


def _dead_relu(scene: Scene) -> Words:
    op = scene.flow.event(scene.facts["op"])
    numbers = scene.flow.numbers.get(op["inputs"][0]["t"], {})
    spread = _between(numbers)
    return Words(
        "relu gets nothing above 0: it gives 0 and sends 0 back",
        f"all {numbers.get('n', '')} inputs of relu in line {scene.line_of(op)} are negative{spread}: "
        "its output is 0 and so is its slope.".replace("all  ", "all "),
        "start the bias at 0 and the weights small, or use tf.nn.leaky_relu",
    )


def _between(numbers: dict[str, Any]) -> str:
    if numbers.get("min") is None:
        return ""
    return f" ({float(numbers['min']):.4g} to {float(numbers['max']):.4g})"


def _saturated(scene: Scene) -> Words:
    op = scene.flow.event(scene.facts["op"])
    spread = _between(scene.flow.numbers.get(op["inputs"][0]["t"], {}))
    return Words(
        "flat here: the input is far out",
        f"{scene.expr} in line {scene.line_of(op)} is flat for such inputs{spread}: its slope there is 0.",
        "scale the inputs down; for a probability compute the loss from the logits (…_with_logits)",
    )


def _clipped(scene: Scene) -> Words:
    return Words(
        "outside the limits: flat here",
        f"{scene.expr} in line {scene.line_of(scene.event)} cuts off all values here, and what is cut off has the slope 0.",
        "widen the limits, or start from values inside them",
    )


def _sums_to_constant(scene: Scene) -> Words:
    if scene.facts.get("one_unit"):
        return Words(
            "a softmax over one unit is always 1",
            f"softmax in line {scene.place_line} runs over an axis of size 1, so it gives exactly 1, whatever the weights are: "
            "nothing moves it.",
            'activation="sigmoid" for a single output, or two units with softmax; if there are more units, check the axis',
        )
    return Words(
        "the sum over these is a constant",
        f"the gradient of {scene.target} is that of its sum, and what {scene.expr} in line {scene.place_line} gives sums up "
        f"to the same for all values of {scene.source}.",
        "pick one output, or use tape.jacobian for each output's own gradient",
    )


def _zero_init(scene: Scene) -> Words:
    name = scene.name_of(scene.facts["factor"])
    return Words(
        f"{name} is all zeros",
        f"what goes back to {scene.source} is multiplied by {name}, and that is all zeros.",
        f"start {name} from small random numbers: tf.random.normal(shape, stddev=0.1)",
    )


def _masked_out(scene: Scene) -> Words:
    if scene.facts.get("empty"):
        return Words(
            "nothing is chosen here",
            f"{scene.expr} in line {scene.line_of(scene.event)} chooses no element at all, so nothing goes back.",
            "check the condition or the indices",
        )
    name = scene.name_of(scene.facts["factor"])
    return Words(
        f"multiplied by {name}, which is 0 everywhere",
        f"{scene.expr} in line {scene.line_of(scene.event)} multiplies by {name}, and that is 0 everywhere.",
        f"check how {name} is computed",
    )


def _where_unselected(scene: Scene) -> Words:
    return Words(
        "where took the other branch everywhere",
        f"{scene.expr} in line {scene.line_of(scene.event)} chose the other branch for every element, so nothing goes back here.",
        "check the condition",
    )


def _step_function(scene: Scene) -> Words:
    return Words(
        "flat on both sides: the slope is 0",
        f"{scene.expr} in line {scene.line_of(scene.event)} is flat wherever it does not jump, so it sends zeros back.",
        "use a smooth step, such as tf.tanh(x / width)",
    )


def _stationary(scene: Scene) -> Words:
    return Words(
        "the value under the square is 0: the bottom of the valley",
        f"{scene.expr} in line {scene.line_of(scene.event)} is at its lowest point, where the slope is 0. Nothing is wrong: "
        "there is nothing left to improve.",
        "start from another value if you want to see a slope",
    )


# --- NaN and infinity ---


def _where_nan(scene: Scene) -> Words:
    op = scene.flow.event(scene.facts["op"])
    return Words(
        "both branches are computed, and the one not used is NaN or infinite",
        f"where in line {scene.line_of(scene.event)} computes both branches. {scene.expr_of(op)} is not finite, or has no finite "
        "slope, where it is not used, and on the way back 0 times that is NaN.",
        "make the input safe first: safe = tf.where(condition, x, 1.0), and compute with safe",
    )


def _infinite_slope(scene: Scene) -> Words:
    return Words(
        "the slope at 0 is infinite",
        f"{scene.expr} in line {scene.line_of(scene.event)} is taken at 0, where its slope is infinite; 0 times infinity is NaN.",
        "add a small number inside: tf.sqrt(x + 1e-12)",
    )


def _log_of_zero(scene: Scene) -> Words:
    return Words(
        "the logarithm of 0 is minus infinity",
        f"{scene.expr} in line {scene.line_of(scene.event)} takes the logarithm of 0.",
        "compute the loss from the logits (tf.nn.…_with_logits), or tf.math.log(x + 1e-12)",
    )


def _division_by_zero(scene: Scene) -> Words:
    return Words(
        "the denominator is 0",
        f"{scene.expr} in line {scene.line_of(scene.event)} divides by 0.",
        "tf.math.divide_no_nan(a, b), or keep the denominator away from 0",
    )


def _zero_times_inf(scene: Scene) -> Words:
    return Words(
        "here NaN or infinity first appears",
        f"on the way back NaN or infinity first appears at {scene.expr} in line {scene.line_of(scene.event)}.",
        "look at the values there; keep them finite",
    )


def _overflow(scene: Scene) -> Words:
    return Words(
        "too large for its dtype",
        f"{scene.expr} in line {scene.line_of(scene.event)} is too large for its dtype: it became infinite.",
        "scale the input down, subtract its maximum first, or use tf.float64",
    )


def _nan_input(scene: Scene) -> Words:
    name = scene.name_of(scene.facts["value"])
    return Words(
        f"{name} contains NaN or infinity from the start",
        f"{scene.with_line(name, scene.event)} contains NaN or infinity, and it spreads to everything computed from it.",
        f"clean {name} first: find the places with tf.math.is_nan({name})",
    )


def _diverged(scene: Scene) -> Words:
    return Words(
        "the values have grown beyond all bounds",
        f"by line {scene.line_of(scene.event)} the numbers have grown from step to step until they are not finite.",
        "a smaller learning rate",
    )


# --- the call raises ---


def _tape_consumed(scene: Scene) -> Words:
    return Words(
        "not persistent: good for one gradient call",
        f"{scene.tape} is not persistent and was used up by an earlier gradient call.",
        "tf.GradientTape(persistent=True)",
    )


def _no_gradient_registered(scene: Scene) -> Words:
    name = scene.event.get("name", "this op")
    return Words(
        f"{name} has no gradient registered",
        f"{scene.expr} in line {scene.line_of(scene.event)} has no gradient registered: each gradient that passes it fails.",
        "compute this step with other ops, or keep it out of the path: tf.stop_gradient around its input",
    )


def _bad_type(scene: Scene) -> Words:
    message = str(scene.facts["message"]).splitlines()
    fix = next((line.partition(":")[2].strip() for line in message if line.startswith("  try")), "")
    how = "It was made" if scene.found.at else "It is used"
    if scene.event["k"] == "export":
        how = "It left the tape"
    what = f"{message[0]} {how} in line {scene.place_line}."
    return Words("this call raises", what, fix or "give tensors or variables")


CAUSES = {
    cause.slug: cause
    for cause in (
        Cause("not-watched", "MT101", _not_watched),
        Cause("watched-too-late", "MT102", _watched_too_late),
        Cause("watched-before-build", "MT102", _watched_before_build),
        Cause("not-trainable", "MT103", _not_trainable),
        Cause("auto-watch-off", "MT104", _auto_watch_off),
        Cause("tape-reset", "MT105", _tape_reset),
        Cause("stop-recording", "MT106", _stop_recording),
        Cause("computed-before-tape", "MT107", _computed_before),
        Cause("computed-after-tape", "MT108", _computed_after),
        Cause("other-tape", "MT109", _other_tape),
        Cause("second-order-not-recorded", "MT109", _second_order_not_recorded),
        Cause("numpy-roundtrip", "MT201", _numpy_roundtrip),
        Cause("python-scalar", "MT201", _python_scalar),
        Cause("integer-dtype", "MT202", _integer_dtype),
        Cause("bool-dtype", "MT202", _bool_dtype),
        Cause("string-dtype", "MT202", _string_dtype),
        Cause("non-differentiable-op", "MT203", _non_differentiable),
        Cause("stop-gradient", "MT204", _stop_gradient),
        Cause("state-assign", "MT205", _state_assign),
        Cause("new-variable", "MT206", _new_variable),
        Cause("custom-gradient-none", "MT207", _custom_gradient_none),
        Cause("host-callback", "MT208", _host_callback),
        Cause("variable-replaced", "MT301", _variable_replaced),
        Cause("source-is-copy", "MT302", _source_is_copy),
        Cause("unconnected", "MT304", _unconnected),
        Cause("unused-layer", "MT304", _unused),
        Cause("overwritten-value", "MT304", _unused),
        Cause("second-order-linear", "MT304", _second_order_linear),
        Cause("control-flow", "MT305", _control_flow),
        Cause("recreated-variable", "MT307", _recreated_variable),
        Cause("dead-relu", "MT401", _dead_relu),
        Cause("saturated", "MT401", _saturated),
        Cause("clipped", "MT401", _clipped),
        Cause("sums-to-constant", "MT401", _sums_to_constant),
        Cause("zero-init", "MT401", _zero_init),
        Cause("masked-out", "MT401", _masked_out),
        Cause("where-unselected", "MT401", _where_unselected),
        Cause("step-function", "MT401", _step_function),
        Cause("stationary-point", "MT401", _stationary),
        Cause("zero-times-inf", "MT402", _zero_times_inf),
        Cause("overflow", "MT402", _overflow),
        Cause("nan-input", "MT402", _nan_input),
        Cause("diverged", "MT402", _diverged),
        Cause("sqrt-at-zero", "MT403", _infinite_slope),
        Cause("pow-at-zero", "MT403", _infinite_slope),
        Cause("log-of-zero", "MT403", _log_of_zero),
        Cause("division-by-zero", "MT403", _division_by_zero),
        Cause("where-nan", "MT404", _where_nan),
        Cause("tape-consumed", "MT501", _tape_consumed),
        Cause("refused-call", "MT503", _bad_type),
        Cause("bad-source-type", "MT503", _bad_type),
        Cause("bad-target-type", "MT503", _bad_type),
        Cause("no-gradient-registered", "MT505", _no_gradient_registered),
    )
}
