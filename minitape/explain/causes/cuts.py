"""Causes on the path: a step that passes no gradient back, even if a tape records it."""

import ast
import re
from dataclasses import dataclass, replace

from minitape.explain.causes.cause import Cause, Facts, FindingContext, OnCard
from minitape.explain.causes.rewriting import (
    WIDTH,
    in_tensorflow,
    is_place,
    operands,
    parsed,
    smooth_step,
    twin,
    without_conversion,
)
from minitape.explain.causes.texts import Words, code, joined, shared
from minitape.explain.causes.texts import cuts as texts
from minitape.explain.causes.wording import stopping, storing
from minitape.explain.causes.wording.accuracy import loss_for
from minitape.explain.causes.wording.copies import rows_of
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.report import Evidence
from minitape.trace import events

_NAMED = 3  # of several values that left together
_LEFT = OnCard(texts.LEFT_CARD)
_STOPPED = OnCard(texts.STOPPED_CARD, texts.NO_GRADIENT_EDGE, is_op=True)


@dataclass(frozen=True, kw_only=True)
class LeftTape(Facts):
    """A value left the tape.

    Attributes:
        via: The function by which it left: `numpy`, `float`, `Model.predict`, `tf.data.Dataset.map`.
    """

    via: str


def _numpy_roundtrip(context: FindingContext[LeftTape]) -> Words:
    called = context.whole_expr.partition("(")[0].strip().replace("numpy.", "np.", 1)
    stored, others = _stored(context), _other_exits(context)
    fix = _without_numpy(context, called, stored)
    if others:
        fix = " and ".join([texts.ON_LINE(fix=fix, line=context.line), *others.values()])
    reported = _and_the_other_calls(list(others))
    back = _back(context)
    if called.startswith("np."):
        return texts.NUMPY_FUNCTION(
            function=code(called),
            values=_gone(context),
            arrays=_arrays(context),
            others=reported,
            back=back,
            fix=fix,
        )
    if stored:
        statement = code(context.code_of(context.event))
        return texts.NUMPY_ARRAY(
            line=context.line,
            statement=statement,
            array=code(stored[1]),
            others=reported,
            back=back,
            fix=fix,
        )
    return texts.NUMPY_CALL(
        call=context.the_expr,
        line=context.line,
        values=_gone(context),
        arrays=_arrays(context),
        others=reported,
        back=back,
        fix=fix,
    )


def _without_numpy(
    context: FindingContext[LeftTape], called: str, stored: re.Match[str] | None
) -> str:
    """Return what to write instead of the call or statement that hands a value to NumPy."""
    if called.startswith("np."):
        return _in_tensorflow(context, called)
    if stored:
        return _collected(context, stored)
    if context.facts.via != "numpy":
        return texts.USE_TENSORFLOW
    kept = _as_tensor(context)
    return (
        texts.WITHOUT_NUMPY
        if kept is None
        else texts.KEEP_THE_TENSOR(statement=code(kept), line=context.line)
    )


def _and_the_other_calls(calls: list[str]) -> str:
    """Return the sentence about other NumPy calls through which the same value passed; empty if there are none."""
    if not calls:
        return ""
    sentence = texts.ANOTHER_CALL if len(calls) == 1 else texts.OTHER_CALLS
    return sentence(calls=joined(calls))


numpy_roundtrip = Cause(
    "numpy-roundtrip",
    "MT201",
    says=_numpy_roundtrip,
    evidence=Evidence.MARK,
    card=_LEFT,
    is_slip=True,
)


def _exits_before(
    context: FindingContext[LeftTape], back: events.ReentryEvent
) -> list[events.ExportEvent]:
    """Return the exits behind a constant that came back; all sources of a call that are lost there share them."""
    known = context.flow.once(_exits_of_call, context.call)
    if back.i not in known:
        opened = context.tape_event
        known[back.i] = _exits_since(context.flow, 0 if opened is None else opened.i, back)
    return known[back.i]


def _exits_of_call(_: FlowGraph, __: GradientCall) -> dict[int, list[events.ExportEvent]]:
    """Return the cache of exits that were already found for this call, by the event of the returned constant."""
    return {}


def _exits_since(
    flow: FlowGraph, since: int, back: events.ReentryEvent
) -> list[events.ExportEvent]:
    """Return the exits behind a constant that came back, and those behind the values that left there, since the tape opened."""
    exits = {number: flow.exits[number] for number in back.exports}
    waiting = [node for exit in exits.values() for node in exit.nodes]
    seen = set(waiting)
    while waiting:
        for edge in flow.into.get(waiting.pop(), ()):
            if edge.event < since:
                continue
            earlier = flow.event(edge.event)
            if isinstance(earlier, events.ReentryEvent):
                exits |= {number: flow.exits[number] for number in earlier.exports}
            if edge.start not in seen:
                seen.add(edge.start)
                waiting.append(edge.start)
    return [exits[number].event for number in sorted(exits)]


def _other_exits(context: FindingContext[LeftTape]) -> dict[str, str]:
    """Return the other NumPy calls through which a value reached the same constant, each with the code to write instead."""
    back = context.flow.event(context.found.also[0]) if context.found.also else None
    if not isinstance(back, events.ReentryEvent) or not context.event.stack:
        return {}
    exits = _exits_before(context, back)
    sites = dict.fromkeys(each.stack[-1] for each in exits if each.stack)
    others = {}
    for number in sites:
        site = context.flow.sites[number]
        text = " ".join(site.expression.split())
        if number == context.event.stack[-1] or not text.startswith(("np.", "numpy.")):
            continue
        line = site.at.line
        called = text.partition("(")[0]
        better = in_tensorflow(text)
        fix = texts.USE_TENSORFLOW_INSTEAD(function=code(called))
        if better is not None:
            fix = texts.USE_INSTEAD(better=code(better), written=code(text))
        elif twin(called) is not None:
            fix = texts.USE_INSTEAD(better=code(twin(called)), written=code(called))
        others[texts.CALL_ON_LINE(function=code(called), line=line)] = texts.ON_LINE(
            fix=fix, line=line
        )
    return others


def _in_tensorflow(context: FindingContext[LeftTape], called: str) -> str:
    if called in ("np.array", "np.asarray"):
        return _kept_together(context, called)
    left = context.event.values[:1] if isinstance(context.event, events.ExportEvent) else []
    rank = max((len(context.flow.numbers[each].shape) for each in left), default=1)
    better = in_tensorflow(context.whole_expr, rank)
    if better is not None:
        return texts.USE_INSTEAD(better=code(better), written=code(context.whole_expr))
    known = twin(called)
    return texts.USE_TENSORFLOW if known is None else texts.USE_FUNCTION(function=code(known))


def _stored(context: FindingContext[LeftTape]) -> re.Match[str] | None:
    """Return the statement that stores the number in a NumPy array; a dict or a list could hold the tensor itself."""
    found = re.match(r"([\w.]+)\[.*\] [-+*/]?= ", context.code_of(context.event))
    if found is None or context.facts.via != "numpy":
        return found
    site = context.flow.innermost(context.event)
    program = "" if site is None else context.flow.texts.get(site.at.file, "")
    is_array = re.search(rf"{re.escape(found[1])} = (np|numpy)\.", program)
    return found if is_array else None


def _collected(context: FindingContext[LeftTape], stored: re.Match[str]) -> str:
    """Return the advice to use a list of tensors instead of the array that was filled with their values."""
    value = context.code_of(context.event)[stored.end() :].removesuffix(".numpy()")
    append = texts.APPEND(append=code(f"values.append({value})"), line=context.line)
    return texts.COLLECT(
        append=append if stored[0].endswith("] = ") else "",
        array=code(f"{stored[1]} = tf.stack(values)"),
    )


def _kept_together(context: FindingContext[LeftTape], called: str) -> str:
    """Return the code to write instead of an array that was made from one or more tensors."""
    given = operands(context.whole_expr)[:1]
    opened = context.tape_event
    if not given or code(given[0]) == _gone(context):
        return texts.WITHOUT_ARRAY(function=code(called))
    written = code(context.whole_expr)
    if opened is not None and context.event.i < opened.i:
        return texts.KEEP_A_LIST(list=code(given[0]), written=written)
    return texts.USE_INSTEAD(better=code(f"tf.stack({given[0]})"), written=written)


def _as_tensor(context: FindingContext[LeftTape]) -> str | None:
    """Return the statement with the tensor left as it is."""
    return without_conversion(context.code_of(context.event), context.whole_expr)


def _dataset(context: FindingContext[LeftTape]) -> Words:
    method, values, back = (
        context.facts.via.removeprefix("tf.data."),
        _gone(context),
        _back(context),
    )
    if method.startswith("Dataset.from_t"):
        rows = rows_of(parsed(context.whole_expr))
        return texts.MADE_INTO_DATASET(
            method=code(method),
            line=context.line,
            values=values,
            back=back,
            rows="" if rows is None else texts.ROWS(rows=code(ast.unparse(rows))),
        )
    label = texts.COMES_OUT_HERE if context.found.at is None else texts.IS_COMPUTED_HERE
    line = _line_that_computed(context)
    fix = (
        texts.COMPUTE_WITH_IN_LOOP(values=values)
        if line is None
        else texts.COMPUTE_IN_LOOP(values=values, line=line)
    )
    if method.endswith("generator"):
        return texts.YIELDED_IN_DATASET(label=label, values=values, back=back, fix=fix)
    return texts.COMPUTED_IN_DATASET(
        label=label, method=code(method), values=values, back=back, fix=fix
    )


dataset = Cause(
    "dataset",
    "MT201",
    says=_dataset,
    evidence=Evidence.MARK,
    card=_LEFT,
    is_slip=True,
)


def _python_scalar(context: FindingContext[LeftTape]) -> Words:
    entry = texts.PYTHON_STRING if context.facts.via == "format" else texts.PYTHON_NUMBER
    return entry(
        call=context.the_expr,
        line=context.line,
        values=_gone(context),
        back=_back(context),
        fix=_without_python(context),
    )


def _without_python(context: FindingContext[LeftTape]) -> str:
    """Return what to write instead of the conversion to a Python number."""
    called = context.whole_expr.partition("(")[0].strip()
    if called.startswith("math."):
        better = in_tensorflow(context.whole_expr)
        if better is None:
            return texts.USE_TF_INSTEAD_OF_MATH
        return texts.USE_INSTEAD(better=code(better), written=code(context.whole_expr))
    if called == "int":
        return _straight_through_int(context)
    kept = _as_tensor(context)
    if kept is None:
        return texts.WITHOUT_CONVERSION
    return texts.CONVERT_ONLY_TO_PRINT(statement=code(kept), line=context.line)


def _straight_through_int(context: FindingContext[LeftTape]) -> str:
    """Return what to write instead of `int(x)`."""
    x = (operands(context.whole_expr) or ["x"])[0]
    v = x if is_place(x) else "v"
    estimator = code(f"{v} + tf.stop_gradient(tf.floor({v}) - {v})")
    advice = texts.INT_STRAIGHT_THROUGH(x=code(x), estimator=estimator)
    return advice if v == x else texts.WITH_VALUE(advice=advice, name=code(f"v = {x}"))


python_scalar = Cause(
    "python-scalar", "MT201", says=_python_scalar, evidence=Evidence.MARK, card=_LEFT, is_slip=True
)


def _names_gone(context: FindingContext[LeftTape]) -> list[str]:
    """Return the names, for a sentence, of the values that left the tape here and came back."""
    back = context.flow.event(context.found.also[0]) if context.found.also else None
    exits = [context.event] if isinstance(context.event, events.ExportEvent) else []
    if exits and isinstance(back, events.ReentryEvent):
        together = (context.flow.exits[number].event for number in back.exports)
        exits = [each for each in together if each.stack == context.event.stack] or exits
    values = dict.fromkeys(value for exit in exits for value in exit.values)
    return list(dict.fromkeys(map(context.called, values)))


def _gone(context: FindingContext[LeftTape]) -> str:
    """Return the values that left the tape here, as a list in a sentence."""
    names = _names_gone(context)
    if len(names) > _NAMED:
        names = [*names[:_NAMED], shared.MORE_VALUES(count=len(names) - _NAMED)]
    return joined(names) if names else shared.SOME_TENSOR


def _arrays(context: FindingContext[LeftTape]) -> str:
    return texts.ARRAYS if len(_names_gone(context)) > 1 else texts.ONE_ARRAY


def _line_that_computed(context: FindingContext[LeftTape]) -> int | str | None:
    """Return where the tensor that left the tape was computed; None if it is a variable, or if several tensors left."""
    left = context.event.values if isinstance(context.event, events.ExportEvent) else []
    made = context.flow.op_behind(left[0]) if len(left) == 1 else None
    return None if made is None else context.line_of(made)


def _back(context: FindingContext[LeftTape]) -> str:
    """Return the sentence on what came back from NumPy or Python, with the line on which it did."""
    source, incomplete = context.the_source, context.share
    back = context.flow.placed(context.found.also[0]) if context.found.also else None
    line = context.line_of(back)
    if back is None or line is None or line == context.place_line:
        return texts.COMES_BACK(result=texts.THE_RESULT, source=source, incomplete=incomplete)
    site = context.flow.innermost(context.event)
    helper = "" if site is None else site.function.rpartition(".")[2]
    result = texts.THE_RESULT
    if helper.isidentifier() and f"{helper}(" in context.code_of(back):
        result = texts.THE_RESULT_OF(function=code(helper))
    return texts.COMES_BACK_ON_LINE(result=result, line=line, source=source, incomplete=incomplete)


def _host_callback(context: FindingContext[Facts]) -> Words:
    return texts.HOST_CALLBACK(call=context.the_expr, line=context.line)


host_callback = Cause(
    "host-callback",
    "MT208",
    says=_host_callback,
    card=_LEFT,
    is_slip=True,
    by_hand=texts.HOST_CALLBACK_BY_HAND,
)


@dataclass(frozen=True, kw_only=True)
class NotDifferentiable(Facts):
    """An op that is not differentiable.

    Attributes:
        reason: The reason from the op's declaration; None if it gives no reason.
    """

    reason: str | None


_SOFT = {
    "FloorDiv": texts.DIVIDE,
    "Multinomial": texts.WEIGHT_THE_SAMPLE,
    "OneHot": texts.SCORES_NOT_INDICES,
    "Range": texts.USE_LINSPACE,
    "StatelessMultinomial": texts.WEIGHT_THE_SAMPLE,
    "TopKV2": texts.VALUES_NOT_INDICES,
}
_ROUNDING = {
    "Ceil": "tf.math.ceil",
    "Floor": "tf.floor",
    "Rint": "tf.math.rint",
    "Round": "tf.round",
}
_COMPARING = {"Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual"}


def _non_differentiable(context: FindingContext[NotDifferentiable]) -> Words:
    return texts.NOT_DIFFERENTIABLE(
        reason=(context.facts.reason or texts.ZERO_OR_UNDEFINED).rstrip("."),
        call=context.the_expr,
        line=context.line,
        fix=loss_for(context)
        or _smooth(context, context.op or "")
        or texts.USE_A_SMOOTH_OP(source=context.the_source, target=context.the_target),
    )


non_differentiable_op = Cause(
    "non-differentiable-op", "MT203", says=_non_differentiable, card=_STOPPED
)


def _smooth(context: FindingContext[NotDifferentiable], op: str) -> str | None:
    """Return what to write instead of an op that is not differentiable; None if that depends on the program."""
    if op in _ROUNDING:
        given = context.given(0)
        x = given if given.isidentifier() else "x"
        estimator = code(f"{x} + tf.stop_gradient({_ROUNDING[op]}({x}) - {x})")
        advice = texts.STRAIGHT_THROUGH(estimator=estimator)
        return advice if x == given else texts.WITH_VALUE(advice=advice, name=code(f"x = {given}"))
    if op in _COMPARING:
        step = smooth_step(context.whole_expr) or _smooth_comparison(context)
        return texts.SMOOTH_STEP(step=code(step), width=WIDTH)
    if op in ("ArgMax", "ArgMin"):
        return texts.USE_SCORES(softmax=code(f"tf.nn.softmax({context.given(0)})"))
    return _SOFT.get(op)


def _smooth_comparison(context: FindingContext[NotDifferentiable]) -> str:
    """Return a smooth function to use instead of one that compares internally, such as a count of nonzero elements."""
    if context.op in ("Equal", "NotEqual"):
        return f"tf.tanh(tf.abs({context.given(0)}) / width)"
    high, low = (1, 0) if context.op in ("Less", "LessEqual") else (0, 1)
    return f"tf.sigmoid(({context.given(high)} - {context.given(low)}) / width)"


stop_gradient = Cause(
    "stop-gradient",
    "MT204",
    says=stopping.reported,
    card=OnCard(texts.STOPPED_CARD, texts.STOP_EDGE, is_op=True),
    is_slip=True,
    zeros_meant=True,
)


state_assign = Cause(
    "state-assign",
    "MT205",
    says=storing.reported,
    card=OnCard(texts.STORED_CARD),
    is_slip=True,
)


@dataclass(frozen=True, kw_only=True)
class Copied(Facts):
    """A new constant or variable was made from a value.

    Attributes:
        value: The copy, where a tape that was open may have used it.
    """

    value: int | None = None


def _new_variable(context: FindingContext[Copied]) -> Words:
    return texts.COPIED(
        call=context.the_expr,
        line=context.line,
        source=context.the_source,
        incomplete=context.share,
        fix=_without_copy(context, context.whole_expr.partition("(")[0]),
    )


def _without_copy(context: FindingContext[Copied], made: str) -> str:
    """Return the line without the call that copies, if the tensor is the only argument of that call."""
    call, line = parsed(context.whole_expr), context.code_of(context.event)
    if not isinstance(call, ast.Call) or not call.args or context.whole_expr not in line:
        return texts.USE_THE_TENSOR(function=code(made))
    first = call.args[0]
    kept = ast.unparse(first.body if isinstance(first, ast.Lambda) else first)
    statement = code(line.replace(context.whole_expr, kept))
    return texts.WITHOUT_COPY(function=code(made), statement=statement, line=context.line)


new_variable = Cause(
    "new-variable", "MT206", says=_new_variable, card=OnCard(texts.COPIED_CARD), is_slip=True
)


@dataclass(frozen=True, kw_only=True)
class OfGradientFunction(Facts):
    """A gradient function of the user returned None.

    Attributes:
        has_no_return: Whether the function ends without a `return`.
        forgotten: The expression that its last line should return, where that is known.
    """

    has_no_return: bool = False
    forgotten: str | None = None


def _custom_gradient_none(context: FindingContext[OfGradientFunction]) -> Words:
    call, line, source = context.the_expr, context.line, context.the_source
    if not context.facts.has_no_return:
        return texts.GRADIENT_NONE(call=call, line=line, source=source)
    forgotten = context.facts.forgotten
    fix = (
        texts.ADD_RETURN(statement=code(f"return {forgotten}")) if forgotten else texts.ADD_RETURNS
    )
    return texts.GRADIENT_WITHOUT_RETURN(
        call=call, line=line, source=source, end=context.place_line, fix=fix
    )


custom_gradient_none = Cause(
    "custom-gradient-none",
    "MT207",
    says=_custom_gradient_none,
    card=_STOPPED,
    is_slip=True,
    by_hand=texts.GRADIENT_BY_HAND,
)


# The reason in the catalog for an op that `custom_gradient` made.
OWN_RULE = "as defined by its own gradient function"


def _own_rule_without_history(context: FindingContext[OfGradientFunction]) -> Words:
    return texts.GRADIENT_WITHOUT_HISTORY(
        source=context.the_source,
        call=context.the_expr,
        line=context.line,
        end=context.place_line,
        function=code(context.op),
    )


# The same cause, for a second derivative: the first one exists, but the tape did not record how it was computed.
own_rule_without_history = replace(custom_gradient_none, says=_own_rule_without_history)


def _no_gradient_registered(context: FindingContext[Facts]) -> Words:
    return texts.NOT_REGISTERED(
        op=code(context.op) if context.op else texts.THIS_OP,
        call=context.the_expr,
        line=context.line,
    )


no_gradient_registered = Cause(
    "no-gradient-registered",
    "MT505",
    says=_no_gradient_registered,
    card=_STOPPED,
    by_hand=texts.NOT_REGISTERED_BY_HAND,
)
