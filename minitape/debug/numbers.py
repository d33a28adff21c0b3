"""Zeros, NaNs and infinities: the first step of the walk back that made one.

A cotangent that is all zeros on arrival came from a step that was given something and sent nothing: that op is flat there.
A cotangent that is NaN came from a step that was given finite numbers; if the op's forward value was already broken, the
forward op that first made it so.
"""

from bisect import bisect
from dataclasses import replace
from typing import Any

from minitape.debug.breaks import Break, shortest, way_out
from minitape.debug.flow import Call, Flow
from minitape.debug.reading import line_of_assignment, only_line_that_says
from minitape.debug.trace import Event

# What is at most this large is as good as zero in float32.
TINY = 1e-6
_FLAT = {
    "Relu": "dead-relu",
    "Relu6": "dead-relu",
    "Sigmoid": "saturated",
    "Tanh": "saturated",
    "Erf": "saturated",
    "Softplus": "saturated",
    "Exp": "saturated",
    "Softmax": "saturated",
    "LogSoftmax": "saturated",
    "Sign": "step-function",
    "SelectV2": "where-unselected",
    "ClipByValue": "clipped",
    "Minimum": "clipped",
    "Maximum": "clipped",
    "EagerPyFunc": "host-callback",
}
_INFINITE = {
    "Sqrt": "sqrt-at-zero",
    "Rsqrt": "sqrt-at-zero",
    "EuclideanNorm": "sqrt-at-zero",
    "Pow": "pow-at-zero",
    "Log": "log-of-zero",
    "Log1p": "log-of-zero",
    "RealDiv": "division-by-zero",
    "Reciprocal": "division-by-zero",
    "Exp": "overflow",
    "Square": "overflow",
    "Mul": "zero-times-inf",
}


# Ops whose rules multiply by the other input.
_PRODUCTS = {
    "BatchMatMulV2", "Conv2D", "DivNoNan", "Einsum", "MatMul", "Mul", "MulNoNan", "RealDiv", "Xlogy",
}  # fmt: skip


def largest(numbers: dict[str, Any] | None) -> float:
    """The largest finite element in size; 0 where there is none."""
    if numbers is None or numbers["max"] is None:
        return 0.0
    return max(abs(float(numbers["max"])), abs(float(numbers["min"])))


def is_broken(numbers: dict[str, Any] | None) -> bool:
    """Whether any element is NaN or infinite."""
    return numbers is not None and bool(numbers["nan"] or numbers["inf"])


def is_zero(numbers: dict[str, Any] | None) -> bool:
    """Whether all elements are zero, up to rounding."""
    return (
        numbers is not None
        and numbers["n"] > 0
        and not is_broken(numbers)
        and largest(numbers) <= TINY
    )


def was_reached(call: Call, source: int) -> bool:
    """Whether the walk sent anything to the source."""
    if source in call.event["target"]:
        return True
    return source in call.sent_to


# --- zero ---


def why_zero(flow: Flow, call: Call, source: int) -> Break | None:
    """The op that was owed something and passed nothing on towards the source."""
    empty = _emptied(flow, call)
    if empty is not None:
        return empty
    waiting, seen = [source], set()
    while waiting:
        value = waiting.pop(0)
        if value in seen:
            continue
        seen.add(value)
        shares = call.sent_to.get(value, [])
        if shares and all(not is_zero(sent["T"]) for _, sent in shares):
            if len(shares) > 1 and is_zero(shares[-1][1]["sum"]):
                op = _op(flow, shares[0][0])
                return Break("sums-to-constant", op["i"], facts={"one_unit": False})
            continue
        for step, sent in shares:
            if not is_zero(sent["T"]):
                continue
            if largest(step["grad_in"]) > TINY or is_broken(step["grad_in"]):
                return _flat(flow, call, step, sent)
            waiting.extend(output["id"] for output in _op(flow, step)["outputs"])
    return _dwindled(flow, call)


def _emptied(flow: Flow, call: Call) -> Break | None:
    """The op that chose no element at all."""
    for step in reversed(call.steps):
        op = _op(flow, step)
        values = [each["t"] for each in op["inputs"] if flow.is_smooth(each["t"])]
        given = [flow.numbers.get(value, {}).get("n", 1) for value in values]
        if op["outputs"][0]["n"] == 0 and all(given):
            return Break("masked-out", op["i"], (step["i"],), {"empty": True})
    return None


def _op(flow: Flow, step: Event) -> Event:
    return flow.op_events[step["op"]]


def _flat(flow: Flow, call: Call, step: Event, sent: dict[str, Any]) -> Break | None:
    """What kind of flatness it is: the op's own, or a factor that is all zeros."""
    op = _op(flow, step)
    slug = _FLAT.get(op["name"])
    if op["name"] == "Maximum" and any(
        is_zero(flow.numbers.get(other)) for other in _others(op, sent["t"])
    ):
        slug = "dead-relu"  # a relu written by hand
    facts: dict[str, Any] = {"op": op["i"], "sent": sent["t"]}
    if op["name"] in ("Softmax", "LogSoftmax"):
        return _of_softmax(flow, op, step, facts)
    if slug is not None:
        return Break(slug, op["i"], (step["i"],), facts)
    for value in [*sent["reads"], *_others(op, sent["t"])]:
        if is_zero(flow.numbers.get(value)):
            return _zero_factor(flow, op, step, value, facts)
    return None


def _others(op: Event, value: int) -> list[int]:
    """The other inputs of an op; a plain number among them is on no tape, so no rule is said to read it."""
    return [given["t"] for given in op["inputs"] if given["t"] != value]


def _of_softmax(flow: Flow, op: Event, step: Event, facts: dict[str, Any]) -> Break:
    output = op["outputs"][0]
    one_unit = bool(output["shape"]) and output["shape"][-1] == 1
    arrived = step["grad_in"]
    same = arrived["max"] is not None and arrived["max"] == arrived["min"]
    slug = "sums-to-constant" if one_unit or same else "saturated"
    facts |= {"one_unit": one_unit}
    return Break(slug, op["i"], (step["i"],), facts, at=asked_for(flow, op, "softmax"))


def _zero_factor(flow: Flow, op: Event, step: Event, value: int, facts: dict[str, Any]) -> Break:
    """The rule multiplied by something that is all zeros: where do these come from?"""
    if op["name"] not in _PRODUCTS or _is_own_square(op):
        return Break("stationary-point", op["i"], (step["i"],), facts)
    value = _origin_of_zeros(flow, value)
    facts |= {"factor": value}
    born = flow.born.get(value, op)
    if value in flow.variables:
        return Break("zero-init", born["i"], (op["i"],), facts)
    if born["k"] == "op" and _FLAT.get(born["name"]) == "dead-relu":
        return Break("dead-relu", born["i"], (op["i"],), facts | {"op": born["i"]})
    return Break("masked-out", op["i"], (born["i"],), facts)


def _origin_of_zeros(flow: Flow, value: int) -> int:
    """The value that these zeros were computed from, as far back as all are zeros."""
    while True:
        before = [edge.start for edge in flow.into.get(value, ()) if edge.kind in ("op", "read")]
        zeros = [
            each for each in before if flow.is_smooth(each) and is_zero(flow.numbers.get(each))
        ]
        if not zeros:
            return value
        value = zeros[0]


def _is_own_square(op: Event) -> bool:
    return op["name"] == "Mul" and len({each["t"] for each in op["inputs"]}) == 1


def _dwindled(flow: Flow, call: Call) -> Break | None:
    """Each step passed a little less on until nothing was left."""
    for step in call.steps:
        slug = _FLAT.get(_op(flow, step)["name"])
        if slug == "saturated" and any(
            largest(sent["T"]) < 1e-3 * largest(step["grad_in"]) for sent in step["out"]
        ):
            op = _op(flow, step)
            return Break(slug, op["i"], (step["i"],), {"op": op["i"]})
    return None


def asked_for(flow: Flow, op: Event, word: str) -> tuple[str, int] | None:
    """The one line of the user's file that asks a layer for `word`, where the op ran inside a layer."""
    site = flow.sites.get(op["stack"][-1]) if op["stack"] else None
    if site is None or word in site["expr"] or site["at"][0] not in flow.texts:
        return None
    line = only_line_that_says(flow.texts[site["at"][0]], word)
    return None if line is None else (site["at"][0], line)


# --- NaN and infinity ---


def why_nan(flow: Flow, call: Call, source: int) -> Break | None:
    """The op that turned finite numbers into NaN or infinity."""
    target = call.event["target"][0]
    cone = flow.downstream([source], call.event["i"])
    for step in call.steps:
        if is_broken(step["grad_in"]):
            continue
        for sent in step["out"]:
            if is_broken(sent["T"]) and sent["t"] in cone:
                return _broken_step(flow, call, step)
    if is_broken(flow.numbers.get(target)):
        return _broken_forward(flow, target)
    return None


def _broken_step(flow: Flow, call: Call, step: Event) -> Break:
    op = _op(flow, step)
    values = [op["outputs"][0]["id"], *(given["t"] for given in op["inputs"])]
    broken = next((value for value in values if is_broken(flow.numbers.get(value))), None)
    select = _hidden_by_where(flow, op)
    if broken is not None and select is not None:
        return Break("where-nan", select["i"], (op["i"],), {"op": op["i"]})
    if broken is not None:
        return _broken_forward(flow, broken)
    if select is not None and op["name"] in _INFINITE:
        return Break("where-nan", select["i"], (op["i"],), {"op": op["i"]})
    grown = _grown(flow, op)
    if grown is not None:
        return Break("diverged", grown["i"], (op["i"],), {"op": op["i"]})
    slug = _INFINITE.get(op["name"], "zero-times-inf")
    return Break(slug, op["i"], (step["i"],), {"op": op["i"]})


def _hidden_by_where(flow: Flow, op: Event) -> Event | None:
    """The `where` that chose around this op's broken elements, if its own output is finite."""
    for value in sorted(flow.downstream([output["id"] for output in op["outputs"]])):
        born = flow.born.get(value)
        if born is not None and born["k"] == "op" and born["name"] == "SelectV2":
            return None if is_broken(flow.numbers.get(value)) else born
    return None


def _broken_forward(flow: Flow, value: int) -> Break:
    """The first value in the ancestry that is broken while all that it came from is finite."""
    while True:
        born = flow.born[value]
        if born["k"] == "assign":
            return Break("diverged", born["i"], facts={"value": value})
        before = [edge.start for edge in flow.into.get(value, ())]
        # What a variable holds now comes first: the variable itself stands for what it was made with.
        broken = [each for each in sorted(before) if is_broken(flow.numbers.get(each))]
        if not broken:
            break
        value = broken[0]
    if born["k"] != "op":
        return Break("nan-input", born["i"], facts={"value": value}, at=_line_with_nan(flow, born))
    grown = _grown(flow, born)
    if grown is not None:
        return Break("diverged", grown["i"], (born["i"],), {"value": value})
    facts = {"op": born["i"], "value": value}
    return Break(_forward_slug(flow, born), born["i"], facts=facts)


def _forward_slug(flow: Flow, op: Event) -> str:
    """How finite inputs became NaN or infinite."""
    name = op["name"]
    if name == "Pow" and not is_zero_inside(flow.numbers.get(op["inputs"][0]["t"])):
        return "overflow"
    if name in ("Mul", "Square", "Exp"):
        return "overflow"
    return _INFINITE.get(name, "overflow")


def is_zero_inside(numbers: dict[str, Any] | None) -> bool:
    """Whether some element is zero."""
    return numbers is not None and bool(numbers["zeros"])


def _line_with_nan(flow: Flow, born: Event) -> tuple[str, int] | None:
    """The one line of the user's file that says nan, where a constant has one."""
    if born["at"] is None:
        return None
    file = born["at"][0]
    text = flow.texts.get(file, "")
    line = only_line_that_says(text, "nan")
    if line is None and born["k"] == "constant" and (born["text"] or "").isidentifier():
        line = line_of_assignment(text, born["text"], born["at"][1])
    return None if line is None else (file, line)


def _grown(flow: Flow, op: Event) -> Event | None:
    """The last assignment to a variable before the op that has grown out of all proportion."""
    for value in sorted(flow.upstream([output["id"] for output in op["outputs"]])):
        born = flow.born.get(value)
        if born is None or born["k"] != "assign" or value > 0:
            continue
        start = largest(flow.numbers.get(born["var"]))
        if largest(flow.numbers[value]) > 1e6 * max(start, 1.0):
            return born
    return None


# --- incomplete ---


def why_partial(flow: Flow, call: Call, source: int, targets: set[int]) -> Break | None:
    """A path beside the taped one that left the engine and came back, all while the tape was open."""
    before = call.event["i"]
    life = flow.tapes[call.tape]
    if not life.entered:
        return None
    opened = life.entered[0]
    closed = next((each for each in life.exited if each > opened), before)
    came_back = [
        (event, flow.exports[number])
        for event in flow.reentries[bisect(flow.reentries, opened, key=_number) :]
        if event["i"] < closed and flow.is_smooth(event["t"])
        for number in event["exports"]
        if opened < flow.exports[number]["i"]
    ]
    copied = _copied(flow, source, opened, closed)
    late = _late_watch(flow, call, source)
    if call.untaped is None:
        call.untaped = _summands_off_tape(flow, call, targets) | _from_another_with(flow, call)
    summands = call.untaped
    if not came_back and copied is None and late is None and not summands:
        return None
    followed = _followed(flow, call, source)
    for event, exit in came_back:
        if event["flat"] or _is_compared_with_itself(flow, event["t"], exit):
            continue
        if followed & set(exit["nodes"]) and _sends_back(flow, call, event["t"], targets):
            facts = {"via": exit["via"], "partial": True}
            return Break(way_out(flow, exit), exit["i"], (event["i"],), facts)
    beside = [found for found in (copied, late) if found is not None]
    useful = flow.upstream(targets, before) if beside else set()
    for found in beside:
        if found.facts["value"] in useful:
            return found
    return _lost_summand(flow, call, source, summands - followed)


def _number(event: Event) -> int:
    return int(event["i"])


def _sends_back(flow: Flow, call: Call, value: int, targets: set[int]) -> bool:
    """Whether a gradient would come back to a value: not through a comparison, nor a cast to whole numbers."""
    if value in targets:
        return True
    path = shortest(flow, call, value, targets)
    return path is not None and not path.breaks


def _is_compared_with_itself(flow: Flow, constant: int, exit: Event) -> bool:
    """Whether what left is only set against what it was: `x - x.numpy()` has a slope because the copy has none."""
    uses = [flow.event(edge.event) for edge in flow.out_of.get(constant, ())]
    return bool(uses) and all(
        use["k"] == "op"
        and use["name"] in ("Sub", "RealDiv")
        and any(given["t"] in exit["nodes"] for given in use["inputs"])
        for use in uses
    )


def _copied(flow: Flow, source: int, opened: int, closed: int) -> Break | None:
    """`tf.constant(variable)` while the tape was open."""
    for edge in flow.out_of.get(source, ()):
        if edge.kind == "becomes" and edge.end > 0 and opened < edge.event < closed:
            facts = {"partial": True, "value": edge.end}
            return Break("new-variable", edge.event, facts=facts)
    return None


def _summands_off_tape(flow: Flow, call: Call, targets: set[int]) -> set[int]:
    """Computed values that enter the target by addition alone, and that the tape of the call did not record."""
    found, waiting = set(), list(targets)
    while waiting:
        value = waiting.pop()
        born = flow.born.get(value)
        if born is None or born["k"] != "op":
            continue
        if call.tape not in born["recorded"]:
            found.add(value)
        elif born["name"] in ("AddV2", "AddN", "Sub"):
            waiting.extend(given["t"] for given in born["inputs"])
    return found


def _from_another_with(flow: Flow, call: Call) -> set[int]:
    """Values that another tape recorded, opened by another `with`, and that an op on this tape uses.

    In a loop over one `with` the earlier turns are cut off on purpose more often than not.
    """
    place = flow.opened_at(call.tape)
    found = set()
    for op in flow.ops_on[call.tape]:
        if op["op"] not in flow.call_of_op:
            for given in op["inputs"]:
                born = flow.born.get(given["t"])
                if born is None or born["k"] != "op" or not born["recorded"]:
                    continue
                theirs = flow.opened_at(born["recorded"][-1])
                if call.tape not in born["tape"] and theirs != place:
                    found.add(given["t"])
    return found


def _lost_summand(flow: Flow, call: Call, source: int, summands: set[int]) -> Break | None:
    for value in sorted(summands):
        path = shortest(flow, call, source, {value})
        lost = path.breaks if path is not None else []
        if lost and lost[-1].slug in ("computed-before-tape", "other-tape", "stop-recording"):
            found = replace(lost[-1], facts={**lost[-1].facts, "partial": True})
            return _at_its_tape(flow, call, found)
    return None


def _at_its_tape(flow: Flow, call: Call, found: Break) -> Break:
    """A sum over several tapes: the line that opens a tape for each summand is the one to move."""
    if found.slug != "other-tape":
        return found
    opened = flow.tapes[call.tape].entered[0]
    return replace(found, event=opened, also=(found.facts["op"], *found.also))


def _followed(flow: Flow, call: Call, source: int) -> set[int]:
    """What the tape of the call knows to come from the source."""
    followed = {source}
    for event in flow.ops_on[call.tape]:
        if any(
            given["t"] in followed or flow.variable_read(given["t"]) in followed
            for given in event["inputs"]
        ):
            followed.update(output["id"] for output in event["outputs"])
    return followed


def _late_watch(flow: Flow, call: Call, source: int) -> Break | None:
    life = flow.tapes[call.tape]
    watch = life.watch_of(source, call.event["i"])
    if watch is None or watch["how"] != "explicit":
        return None
    for edge in flow.out_of.get(source, ()):
        op = flow.event(edge.event)
        was_early = edge.kind == "op" and life.entered[0] < op["i"] < watch["i"]
        if was_early and call.tape in op["tape"] and call.tape not in op["recorded"]:
            facts = {"op": op["i"], "partial": True, "value": edge.end}
            return Break("watched-too-late", watch["i"], (op["i"],), facts)
    return None
