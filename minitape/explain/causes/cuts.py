"""Causes on the path: a step that passes no gradient back, even if a tape records it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from minitape.explain.causes.cause import Cause, Facts, FindingContext, OnCard
from minitape.explain.causes.rewriting import (
    WIDTH,
    around_constant,
    converted_name,
    in_brackets,
    in_tensorflow,
    is_place,
    operands,
    parsed,
    sampled_in_tensorflow,
    smooth_step,
    statement_in_tensorflow,
    twin,
    values_in_tensorflow,
    with_gather,
    with_plain_tensor,
    without_conversion,
)
from minitape.explain.causes.texts import DiagnosticText, code, joined, lines, shared
from minitape.explain.causes.texts import cuts as texts
from minitape.explain.causes.wording import (
    array_methods,
    indices,
    sampled,
    stopping,
    storing,
    usual,
)
from minitape.explain.causes.wording.accuracy import loss_for
from minitape.explain.causes.wording.copies import out_of_map, rows_in
from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.program.numpy_names import numpy_names, standard_name
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.explain.report import Evidence
from minitape.source_text import lines_of, walk
from minitape.trace import events

_NAMED = 3  # the maximum number of values that a sentence names; the others are counted
_LEFT = OnCard(texts.LEFT_CARD)
_STOPPED = OnCard(texts.STOPPED_CARD, texts.NO_GRADIENT_EDGE, is_op=True)


@dataclass(frozen=True, kw_only=True)
class LeftTape(Facts):
    """A value left the tape.

    Attributes:
        via: The function by which it left: `numpy`, `float`, `Model.predict`, `tf.data.Dataset.map`.
    """

    via: str


def _numpy_roundtrip(context: FindingContext[LeftTape]) -> DiagnosticText:
    written = context.whole_expr.partition("(")[0].strip()
    called = standard_name(written, context.numpy_names)
    sites = _other_sites(context)
    stored, others = _stored(context), _other_exits(context, sites)
    fix = _without_line(context) or _statement_in_tensorflow(context, sites)
    if fix is None:
        fix = _without_numpy(context, called, stored, is_first=bool(others))
        if others:
            is_placed = re.search(r"\(line [^)]*\)$", fix) is not None
            first = fix if is_placed else texts.ON_LINE(fix=fix, line=context.line)
            replaced = list(dict.fromkeys([first, *others.values()]))
            uses = _uses_of_others(context, sites, _in_one_sentence(replaced))
            fix = _in_one_sentence([*replaced, *uses])
    own_call = texts.CALL_ON_LINE(function=code(_shown(written, called)), line=context.line)
    reported = _and_the_other_calls([each for each in others if each != own_call])
    back = _back(context)
    if called.startswith("np."):
        return texts.NUMPY_FUNCTION(
            function=code(_shown(written, called)),
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


def _in_one_sentence(fixes: list[str]) -> str:
    """Return several replacements as one sentence: `use A instead of B (line 3) and C instead of D (line 4)`."""
    first, *others = fixes
    others = [each.removeprefix("use ") for each in others]
    if first.startswith("use ") or not others:
        return joined([first, *others])
    return f"{first}, and use {joined(others)}"


def _shown(written: str, called: str) -> str:
    """Return a NumPy function as the program calls it; `numpy.` is shown as `np.`."""
    return called if written.startswith("numpy.") else written


def _without_numpy(
    context: FindingContext[LeftTape],
    called: str,
    stored: re.Match[str] | None,
    *,
    is_first: bool,
) -> str:
    """Return what to write instead of the call or statement that hands a value to NumPy.

    Args:
        context: The finding.
        called: The standard name of the function.
        stored: The array and the index that the statement assigns to, if it does.
        is_first: Whether advice about other calls follows.
    """
    if called.startswith("np."):
        return _in_tensorflow(context, called)
    if stored:
        return _collected(context, stored)
    samples = sampled_in_tensorflow(context.whole_expr)
    if samples is not None:
        return _instead(context, samples)
    if context.facts.via != "numpy":
        return texts.USE_TENSORFLOW
    kept = _as_tensor(context)
    if kept is not None:
        return _beside_sampling(context, kept) or _kept_tensor(context, kept, is_first=is_first)
    if _reads_weights(context.whole_expr):
        variables = context.whole_expr.replace(".get_weights()", ".weights")
        return texts.USE_VARIABLES(variables=code(variables), written=code(context.whole_expr))
    return texts.WITHOUT_NUMPY


def _kept_tensor(
    context: FindingContext[LeftTape], statement: str, *, is_first: bool = False
) -> str:
    """Return the advice to write a statement that keeps the tensor, and what to write where the program calls array methods."""
    instead = _later_uses(context, statement)
    constant = None if instead else _where_constant(context)
    instead += [] if constant is None else [constant]
    if instead:
        return texts.WRITE_LINE_AND_USE(
            statement=code(statement), line=context.line, uses=joined(instead)
        )
    is_whole = is_first or _comes_back_at_once(context)
    advice = texts.WRITE_LINE if is_whole else texts.KEEP_THE_TENSOR
    return advice(statement=code(statement), line=context.line)


def _comes_back_at_once(context: FindingContext[LeftTape]) -> bool:
    """Whether the value comes back in the statement in which it left, so that no other line needs an array."""
    back = context.flow.event(context.found.also[0]) if context.found.also else None
    if not isinstance(back, events.ReentryEvent):
        return False
    sites = context.flow.innermost(back), context.flow.innermost(context.event)
    return None not in sites and len({each.at[:2] for each in sites if each is not None}) == 1


def _beside_sampling(context: FindingContext[LeftTape], statement: str) -> str | None:
    """Return what to write where the tensor is needed, if NumPy also samples from the array; None if it does not."""
    site = context.flow.innermost(context.event)
    program = "" if site is None else context.flow.texts.get(site.at.file, "")
    uses, sampling = sampled.instead_of_array(
        program, context.place_line, statement, context.numpy_names, _dtype_left(context)
    )
    if not uses:
        return None
    advice = [
        texts.INSTEAD_ON_LINE(better=code(each.better), written=code(each.written), line=each.line)
        for each in uses
    ]
    return texts.TENSOR_BESIDE_SAMPLING(uses=joined(advice), sampling=lines(sampling))


def _without_line(context: FindingContext[LeftTape]) -> str | None:
    """Return the advice to delete a statement that only converts a tensor, such as `kl = float(kl)`; None for others."""
    statement = context.code_of(context.event)
    name = converted_name(statement, context.numpy_names)
    if name is None:
        return None
    uses = _later_uses(context, statement)
    return texts.DELETE_LINE(
        line=context.line, name=code(name), uses=texts.AND_USE(uses=joined(uses)) if uses else ""
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
    usual=usual.error_in_tensorflow,
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


def _other_sites(context: FindingContext[LeftTape]) -> list[events.SiteEvent]:
    """Return the sites of the other NumPy calls through which a value reached the same constant."""
    back = context.flow.event(context.found.also[0]) if context.found.also else None
    if not isinstance(back, events.ReentryEvent) or not context.event.stack:
        return []
    exits = _exits_before(context, back)
    numbers = dict.fromkeys(each.stack[-1] for each in exits if each.stack)
    sites = [context.flow.sites[each] for each in numbers if each != context.event.stack[-1]]
    return [each for each in sites if _called_at(context, each).startswith(("np.", "math."))]


def _called_at(context: FindingContext[LeftTape], site: events.SiteEvent) -> str:
    """Return the standard name of the function that a site calls."""
    names = numpy_names(context.flow.texts.get(site.at.file, ""))
    return standard_name(_text_at(site).partition("(")[0], names)


def _text_at(site: events.SiteEvent) -> str:
    return " ".join(site.expression.split())


def _statement_in_tensorflow(
    context: FindingContext[LeftTape], others: Sequence[events.SiteEvent]
) -> str | None:
    """Return the advice to write a statement in which values left the tape several times; None if they left in several lines."""
    own = context.flow.innermost(context.event)
    if own is None or not others or any(each.at[:2] != own.at[:2] for each in others):
        return None
    values = [context.whole_expr, *map(_text_at, others)]
    better = values_in_tensorflow(own.code, values, _rank_left(context), context.numpy_names)
    if better is None:
        return None
    later = _later_uses(context, own.code)
    if later:
        return texts.WRITE_LINE_AND_USE(
            statement=code(better), line=context.line, uses=joined(later)
        )
    return texts.WRITE_LINE(statement=code(better), line=context.line)


def _other_exits(
    context: FindingContext[LeftTape], sites: Iterable[events.SiteEvent]
) -> dict[str, str]:
    """Return the other NumPy calls through which a value reached the same constant, each with the code to write instead."""
    others = {}
    for site in sites:
        text, known = _text_at(site), _called_at(context, site)
        called = text.partition("(")[0]
        line = site.at.line
        names = numpy_names(context.flow.texts.get(site.at.file, ""))
        outer = array_methods.with_outer_numpy(site.code, text, names)
        better = in_tensorflow(outer, names=names)
        fix = texts.USE_TENSORFLOW_INSTEAD(function=code(called))
        if better is not None:
            fix = texts.USE_INSTEAD(better=code(better), written=code(outer))
        elif twin(known) is not None:
            fix = texts.USE_INSTEAD(better=code(twin(known)), written=code(called))
        others[texts.CALL_ON_LINE(function=code(called), line=line)] = texts.ON_LINE(
            fix=fix, line=line
        )
    return others


def _in_tensorflow(context: FindingContext[LeftTape], called: str) -> str:
    if called in ("np.array", "np.asarray"):
        return _kept_together(context, called)
    left = context.event.values[:1] if isinstance(context.event, events.ExportEvent) else []
    if called in _INDICES:
        return _without_index(context, called, left)
    statement, names = context.code_of(context.event), context.numpy_names
    outer = array_methods.with_outer_numpy(statement, context.whole_expr, names)
    for written in dict.fromkeys([outer, context.whole_expr]):
        better = in_tensorflow(written, _rank_left(context), names)
        if better is not None:
            return _instead(context, better, written)
    known = twin(called)
    return texts.USE_TENSORFLOW if known is None else texts.USE_FUNCTION(function=code(known))


def _instead(context: FindingContext[LeftTape], better: str, written: str = "") -> str:
    """Return the advice to write a tensor where the program makes an array, with TensorFlow functions for its methods."""
    statement = context.code_of(context.event)
    written, better = array_methods.text_with_methods(
        statement, written or context.whole_expr, better
    )
    written, better = around_constant(statement, written, better, _dtype_left(context))
    fix = texts.USE_INSTEAD(better=code(better), written=code(written))
    later = _later_uses(context, statement)
    return _in_one_sentence([texts.ON_LINE(fix=fix, line=context.line), *later]) if later else fix


def _later_uses(context: FindingContext[LeftTape], statement: str) -> list[str]:
    """Return what to write where later lines need an array under a name that a statement assigns to."""
    site = context.flow.innermost(context.event)
    line = context.event.at.line if context.event.at else 0
    return [] if site is None else _uses_after(context, site.at.file, line, statement)


def _uses_after(
    context: FindingContext[LeftTape], file: str, line: int, statement: str
) -> list[str]:
    """Return the same for the names that the statement on a line of a file assigns to."""
    assigned, _, value = statement.partition(" = ")
    names = assigned.split(", ")
    if not all(map(str.isidentifier, names)):
        return []
    if len(names) > 1 and not isinstance(parsed(value), ast.Call | ast.Attribute):
        return []  # each name has a value of its own
    program = context.flow.texts.get(file, "")
    numpy = numpy_names(program)
    uses = [use for name in names for use in array_methods.uses_in(program, line, name, numpy)]
    return [
        texts.INSTEAD_ON_LINE(better=code(better), written=code(written), line=at)
        for at, written, better in sorted(uses, key=lambda use: use[0])
        if written not in statement
    ]


def _uses_of_others(
    context: FindingContext[LeftTape], sites: Iterable[events.SiteEvent], fix: str
) -> list[str]:
    """Return what to write where later lines need the arrays of the other calls, without what `fix` contains."""
    uses = {
        use: None
        for site in sites
        for use in _uses_after(context, site.at.file, site.at.line, site.code)
    }
    return [use for use in uses if use not in fix]


# NumPy functions that return an index; a softmax of these scores weights the indices.
_INDICES = {"np.argmax": "{}", "np.argmin": "-({})"}


def _without_index(context: FindingContext[LeftTape], called: str, left: list[int]) -> str:
    """Return what to write instead of an index: the mean of all indices, weighted by the scores.

    The softmax alone is not sufficient, because its elements sum to 1, so the gradient of that sum is 0.
    """
    call = parsed(context.whole_expr)
    given = context.flow.numbers[left[0]] if len(left) == 1 else None
    if not isinstance(call, ast.Call) or given is None:
        return texts.SCORES_NOT_INDICES
    is_last = len(given.shape) == 1 and len(call.args) == 1 and not call.keywords
    if not is_last or given.dtype != "float32" or given.shape[0] < 2:
        return texts.SCORES_NOT_INDICES
    scores = _INDICES[called].format(ast.unparse(call.args[0]))
    mean = f"tf.reduce_sum(tf.nn.softmax({scores}) * tf.range({given.shape[0]}.0))"
    return texts.MEAN_INDEX(mean=code(mean), written=code(context.whole_expr))


def _stored(context: FindingContext[LeftTape]) -> re.Match[str] | None:
    """Return the statement that stores the number in a NumPy array; a dict or a list could hold the tensor itself."""
    found = re.match(r"([\w.]+)\[.*\] [-+*/]?= ", context.code_of(context.event))
    if found is None or context.facts.via != "numpy":
        return found
    site = context.flow.innermost(context.event)
    program = "" if site is None else context.flow.texts.get(site.at.file, "")
    made = re.search(rf"{re.escape(found[1])} = ([\w.]+)\(", program)
    is_array = made and standard_name(made[1], numpy_names(program)).startswith("np.")
    return found if is_array else None


def _collected(context: FindingContext[LeftTape], stored: re.Match[str]) -> str:
    """Return the advice to use a list of tensors instead of the array that was filled with their values."""
    value = context.code_of(context.event)[stored.end() :].removesuffix(".numpy()")
    append = texts.APPEND(append=code(f"values.append({value})"), line=context.line)
    first = _first_element(context, stored[1])
    return texts.COLLECT(
        start=code(f"values = [{first}]"),
        append=append if stored[0].endswith("] = ") else "",
        array=code(f"{stored[1]} = tf.stack(values)"),
    )


def _first_element(context: FindingContext[LeftTape], array: str) -> str:
    """Return the value that one line before the finding stores in the first element of an array; empty if there is none."""
    at = context.place
    program = "" if at is None else context.flow.texts.get(at.file, "")
    before = "\n".join(lines_of(program)[: context.place_line - 1])
    found = re.findall(rf"^\s*{re.escape(array)}\[0\] = (.+?)(?:\.numpy\(\))?\s*$", before, re.M)
    return found[0] if len(found) == 1 else ""


def _kept_together(context: FindingContext[LeftTape], called: str) -> str:
    """Return the code to write instead of an array that was made from one or more tensors."""
    given = operands(context.whole_expr)[:1]
    opened = context.tape_event
    if not given:
        written = context.whole_expr.partition("(")[0].strip()
        return texts.WITHOUT_ARRAY(function=code(_shown(written, called)))
    written = code(context.whole_expr)
    left = context.event.values if isinstance(context.event, events.ExportEvent) else []
    is_one = len(left) == 1 and is_place(given[0])
    if is_one or code(given[0]) == _gone(context):
        return _instead(context, given[0])
    if opened is not None and context.event.i < opened.i:
        return texts.KEEP_A_LIST(list=code(given[0]), written=written)
    return _instead(context, f"tf.stack({given[0]})")


def _as_tensor(context: FindingContext[LeftTape]) -> str | None:
    """Return the statement with the tensor left as it is."""
    statement, written = context.code_of(context.event), context.whole_expr
    if "for " not in statement:
        for other in _conversions_beside(context):
            statement = array_methods.in_statement(statement, other) or statement
    if _reads_weights(written) or array_methods.calls_array_method(statement, written):
        better = array_methods.in_statement(statement, written)
        return None if better is None else statement_in_tensorflow(better, context.numpy_names)
    if usual.SAMPLES.search(statement):
        return None  # NumPy would convert the tensor again
    kept = without_conversion(statement, written, context.numpy_names)
    kept = None if kept is None else array_methods.as_functions(kept)
    if kept is None:
        return None
    tensor = _tensor_of(written)
    if _keeps_rank(context):
        kept, tensor = with_gather(kept, tensor, _masks(context))
    return with_plain_tensor(kept, tensor, _dtype_left(context))


def _keeps_rank(context: FindingContext[LeftTape]) -> bool:
    """Whether what came back has the rank of what left, as the rows that an array of indices selects."""
    back = context.flow.event(context.found.also[0]) if context.found.also else None
    left = _left_first(context)
    if not isinstance(back, events.ReentryEvent) or left is None:
        return False
    after = context.flow.numbers.get(back.value)
    return after is not None and len(after.shape) == len(left.shape)


def _masks(context: FindingContext[LeftTape]) -> set[str]:
    """Return the names to which the program assigns the result of a comparison."""
    site = context.flow.innermost(context.event)
    program = "" if site is None else context.flow.texts.get(site.at.file, "")
    return {
        ast.unparse(node.targets[0])
        for node in walk(tree_or_empty(program))
        if isinstance(node, ast.Assign)
        and any(isinstance(each, ast.Compare) for each in walk(node.value))
    }


def _reads_weights(conversion: str) -> bool:
    """Whether a conversion is `layer.get_weights()`, which returns the values of the variables."""
    return conversion.endswith(".get_weights()")


def _conversions_by_line(flow: FlowGraph) -> dict[tuple[str, int], set[str]]:
    """Return the expressions by which values left the engine, for each line of the program."""
    found = defaultdict[tuple[str, int], set[str]](set)
    for exit in flow.exits.values():
        site = flow.innermost(exit.event)
        if site is not None:
            found[site.at.file, site.at.line].add(" ".join(site.expression.split()))
    return found


def _tensor_of(conversion: str) -> str:
    """Return the tensor in a conversion: `price` of `float(price)` and of `price.numpy()`."""
    match parsed(conversion):
        case ast.Call(func=ast.Attribute(value=tensor), args=[]) | ast.Call(args=[tensor]):
            return ast.unparse(tensor)
    return conversion


def _conversions_beside(context: FindingContext[LeftTape]) -> list[str]:
    """Return the other conversions in the statement: those of `return float(price), float(rate)`."""
    here = context.flow.innermost(context.event)
    if here is None:
        return []
    beside = context.flow.once_for_all(_conversions_by_line)[here.at.file, here.at.line]
    own = context.whole_expr
    return sorted(each for each in beside if each != own and each not in own and own not in each)


def _without_conversions(context: FindingContext[LeftTape]) -> str | None:
    """Return the statement of a call of `math` with TensorFlow functions, if it also converts tensors; else None."""
    statement = context.code_of(context.event)
    if "for " in statement or statement.endswith(":"):
        return None
    better = statement
    for other in _conversions_beside(context):
        better = array_methods.in_statement(better, other) or better
    return None if better == statement else statement_in_tensorflow(better, context.numpy_names)


def _dataset(context: FindingContext[LeftTape]) -> DiagnosticText:
    method, values, back = (
        context.facts.via.removeprefix("tf.data."),
        _gone(context),
        _back(context),
    )
    if method.startswith("Dataset.from_t"):
        return texts.MADE_INTO_DATASET(
            method=code(method), line=context.line, values=values, back=back, fix=_rows(context)
        )
    label = texts.COMES_OUT_HERE if context.found.at is None else texts.IS_COMPUTED_HERE
    line = _line_that_computed(context)
    fix = (
        texts.COMPUTE_WITH_IN_LOOP(values=values)
        if line is None
        else texts.COMPUTE_IN_LOOP(values=values, line=line)
    )
    fix = _out_of_map(context) or fix
    if method.endswith("generator"):
        return texts.YIELDED_IN_DATASET(label=label, values=values, back=back, fix=fix)
    return texts.COMPUTED_IN_DATASET(
        label=label, method=code(method), values=values, back=back, fix=fix
    )


def _out_of_map(context: FindingContext[LeftTape]) -> str | None:
    """Return the advice to compute in the loop what the function of `map` computed; None if the loop is in another file."""
    back = context.flow.event(context.found.also[0]) if context.found.also else None
    site = context.flow.innermost(back) if isinstance(back, events.ReentryEvent) else None
    tape = context.tape_event
    if site is None or tape is None or tape.at is None or tape.at.file != site.at.file:
        return None
    found = out_of_map(context.flow.texts.get(site.at.file, ""), site.at.line)
    if found is None:
        return None
    return texts.OUT_OF_MAP(
        returned=code(found.returned),
        at=found.at,
        loop=code(found.loop),
        line=site.at.line,
        computed=code(found.computed),
    )


def _rows(context: FindingContext[LeftTape]) -> str:
    """Return what to loop over instead of a dataset of the rows of a tensor."""
    statement = re.sub(
        r"^(for|with|if|while)\b(.*):$", r"\1\2: pass", context.code_of(context.event)
    )
    found = rows_in(statement, context.whole_expr)
    if found is not None:
        written, rows = found
        return texts.LOOP_OVER_ROWS(rows=code(rows), written=code(written))
    given = (operands(context.whole_expr) or [""])[0]
    if not is_place(given):
        return texts.LOOP_OVER_TENSOR
    indices = code(f"tf.data.Dataset.range(len({given}))")
    written = code(context.whole_expr)
    return texts.LOOP_OVER_INDICES(
        indices=indices, written=written, row=code(f"tf.gather({given}, i)")
    )


dataset = Cause(
    "dataset",
    "MT201",
    says=_dataset,
    evidence=Evidence.MARK,
    card=_LEFT,
    is_slip=True,
)


def _python_scalar(context: FindingContext[LeftTape]) -> DiagnosticText:
    entry = texts.PYTHON_STRING if context.facts.via == "format" else texts.PYTHON_NUMBER
    return entry(
        call=context.the_expr,
        line=context.line,
        values=_gone(context),
        others=_and_the_other_calls([code(each) for each in _conversions_beside(context)]),
        back=_back(context),
        fix=_without_python(context),
    )


def _without_python(context: FindingContext[LeftTape]) -> str:
    """Return what to write instead of the conversion to a Python number."""
    called = standard_name(context.whole_expr.partition("(")[0].strip(), context.numpy_names)
    deleted = _without_line(context)
    if deleted is not None:
        return deleted
    if called.startswith("math."):
        better = in_tensorflow(context.whole_expr, names=context.numpy_names)
        if better is None:
            return texts.USE_TF_INSTEAD_OF_MATH
        statement = _without_conversions(context)
        if statement is not None:
            return texts.WRITE_LINE(statement=code(statement), line=context.line)
        fix = texts.USE_INSTEAD(better=code(better), written=code(context.whole_expr))
        others = _other_math(context)
        if others:
            return _in_one_sentence([texts.ON_LINE(fix=fix, line=context.line), *others])
        return fix
    if called == "int":
        return _straight_through_int(context)
    kept = _as_tensor(context)
    if kept is None:
        return texts.WITHOUT_CONVERSION
    constant = _where_constant(context)
    if constant is not None:
        return texts.WRITE_LINE_AND_USE(statement=code(kept), line=context.line, uses=constant)
    return texts.CONVERT_ONLY_TO_PRINT(statement=code(kept), line=context.line)


def _where_constant(context: FindingContext[LeftTape]) -> str | None:
    """Return what to write instead of the constant that the program makes of the numbers; None if it makes none."""
    back = context.flow.event(context.found.also[0]) if context.found.also else None
    if not isinstance(back, events.ReentryEvent):
        return None
    line, written = context.line_of(back), context.whole_expr_of(back)
    call = parsed(written)
    if line is None or line == context.place_line or not isinstance(call, ast.Call):
        return None
    called, given = ast.unparse(call.func), [ast.unparse(each) for each in call.args]
    if called not in ("tf.constant", "tf.convert_to_tensor") or not given:
        return None
    after, before = context.flow.numbers.get(back.value), _left_first(context)
    if after is None or before is None:
        return None
    is_list = len(after.shape) > len(before.shape)
    mean = re.fullmatch(r"statistics\.f?mean\((.*)\)", given[0])
    better = f"tf.stack({given[0]})" if is_list else given[0]
    if mean is not None:
        better = f"tf.reduce_mean({mean[1]})"
    return texts.INSTEAD_ON_LINE(better=code(better), written=code(written), line=line)


def _rank_left(context: FindingContext[LeftTape]) -> int:
    """Return the rank of the value that left first; functions that join values need it."""
    left = _left_first(context)
    return 1 if left is None else len(left.shape)


def _dtype_left(context: FindingContext[LeftTape]) -> str:
    left = _left_first(context)
    return "float32" if left is None else left.dtype


def _left_first(context: FindingContext[LeftTape]) -> events.Numbers | None:
    left = context.event.values if isinstance(context.event, events.ExportEvent) else []
    return context.flow.numbers.get(left[0]) if left else None


def _other_math(context: FindingContext[LeftTape]) -> list[str]:
    """Return what to write instead of the other calls of `math` on the same value."""
    left = context.event.values if isinstance(context.event, events.ExportEvent) else []
    found = {}
    here = context.flow.innermost(context.event)
    sites = context.flow.once_for_all(_sites_by_value)[left[0]] if len(left) == 1 else set()
    for number in sites:
        site = context.flow.sites[number]
        if here is None or site.at == here.at:
            continue
        written = " ".join(site.expression.split())
        is_math = standard_name(written.partition("(")[0], context.numpy_names).startswith("math.")
        better = in_tensorflow(written, names=context.numpy_names) if is_math else None
        if better is not None and site.at.file == here.at.file:
            found[written, site.at.line] = texts.INSTEAD_ON_LINE(
                better=code(better), written=code(written), line=site.at.line
            )
    return [found[each] for each in sorted(found, key=lambda each: each[1])]


def _sites_by_value(flow: FlowGraph) -> dict[int, set[int]]:
    """Return the call sites by which each value left the engine."""
    found = defaultdict[int, set[int]](set)
    for exit in flow.exits.values():
        if len(exit.event.values) == 1 and exit.event.stack:
            found[exit.event.values[0]].add(exit.event.stack[-1])
    return found


def _straight_through_int(context: FindingContext[LeftTape]) -> str:
    """Return what to write instead of `int(x)`."""
    x = (operands(context.whole_expr) or ["x"])[0]
    v = x if is_place(x) else "v"
    estimator = code(f"{v} + tf.stop_gradient(tf.floor({v}) - {v})")
    advice = texts.INT_STRAIGHT_THROUGH(x=code(x), estimator=estimator)
    return advice if v == x else texts.WITH_VALUE(advice=advice, name=code(f"v = {x}"))


python_scalar = Cause(
    "python-scalar",
    "MT201",
    says=_python_scalar,
    evidence=Evidence.MARK,
    card=_LEFT,
    is_slip=True,
    usual=usual.kept_tensor,
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
    source, incomplete = context.the_source, context.incomplete
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


def _host_callback(context: FindingContext[Facts]) -> DiagnosticText:
    fix = _without_callback(context) or texts.OTHER_FUNCTIONS
    return texts.HOST_CALLBACK(call=context.the_expr, line=context.line, fix=fix)


def _without_callback(context: FindingContext[Facts]) -> str | None:
    """Return the advice to write the NumPy statements of a callback with TensorFlow, and to call its function directly; None if
    one of them has no counterpart.
    """
    site, call = context.flow.innermost(context.event), parsed(context.whole_expr)
    match call:
        case ast.Call(args=[ast.Name(id=name), ast.List(elts=given), *_]) if site is not None:
            program = context.flow.texts.get(site.at.file, "")
        case _:
            return None
    nodes = walk(tree_or_empty(program))
    function = next(
        (each for each in nodes if isinstance(each, ast.FunctionDef) and each.name == name), None
    )
    if function is None:
        return None
    statements = []
    for each in function.body:
        if not isinstance(each, ast.Assign | ast.Return):
            return None
        written = ast.unparse(each)
        better = statement_in_tensorflow(written, context.numpy_names)
        if better is None or re.search(r"\.(astype|copy|flatten|ravel|reshape|sum|mean)\(", better):
            return None
        if better != written:
            statement = texts.STATEMENT_OF_LINE(statement=code(better), line=each.lineno)
            statements.append(statement)
    if not statements:
        return None
    return texts.CALL_DIRECTLY(
        statements=joined(statements),
        better=code(f"{name}({', '.join(map(ast.unparse, given))})"),
        written=context.the_whole_expr,
        line=context.line,
    )


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
    "Bucketize": texts.SOFT_BINS,
    "FloorDiv": texts.DIVIDE,
    "HistogramFixedWidth": texts.SOFT_BINS,
    "OneHot": texts.SCORES_NOT_INDICES,
    "Range": texts.USE_LINSPACE,
}
_ROUNDING = {
    "Ceil": "tf.math.ceil",
    "Floor": "tf.floor",
    "Rint": "tf.math.rint",
    "Round": "tf.round",
}
_COMPARING = {"Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual"}


def _non_differentiable(context: FindingContext[NotDifferentiable]) -> DiagnosticText:
    return texts.NOT_DIFFERENTIABLE(
        reason=(context.facts.reason or texts.ZERO_OR_UNDEFINED).rstrip("."),
        call=context.the_expr,
        line=context.line,
        fix=loss_for(context)
        or _smooth(context, context.op or "")
        or texts.USE_A_SMOOTH_OP(source=context.the_source, target=context.the_target),
    )


non_differentiable_op = Cause(
    "non-differentiable-op",
    "MT203",
    says=_non_differentiable,
    card=_STOPPED,
    usual=usual.differentiable_choice,
)


def _smooth(context: FindingContext[NotDifferentiable], op: str) -> str | None:
    """Return what to write instead of an op that is not differentiable; None if that depends on the program."""
    if op in _ROUNDING:
        given = context.given(0)
        x = given if given.isidentifier() else "x"
        estimator = code(f"{x} + tf.stop_gradient({_ROUNDING[op]}({x}) - {x})")
        advice = texts.STRAIGHT_THROUGH(estimator=estimator)
        return advice if x == given else texts.WITH_VALUE(advice=advice, name=code(f"x = {given}"))
    if op == "TopKV2":
        return indices.of_order(context)
    if op in _COMPARING:
        weights = indices.of_maximum(context)
        if weights is not None:
            return weights
        step = smooth_step(context.whole_expr) or _smooth_comparison(context)
        blend = _blend(context, step)
        if blend is not None:
            return blend
        return texts.SMOOTH_STEP(step=code(step), width=WIDTH)
    if op in ("ArgMax", "ArgMin"):
        return indices.weighted(context, op) or texts.USE_SCORES(
            softmax=code(f"tf.nn.softmax({context.given(0)})")
        )
    if op in ("Multinomial", "StatelessMultinomial"):
        return indices.sampled(context) or texts.WEIGHT_THE_SAMPLE
    return _SOFT.get(op)


def _blend(context: FindingContext[NotDifferentiable], step: str) -> str | None:
    """Return what to write instead of a `tf.where` with the comparison as its condition: a weighted sum of its two branches."""
    value = context.flow.op(context.event.i).outputs[0].id
    for edge in context.flow.out_of.get(value, ()):
        user = context.flow.op_behind(edge.end)
        if user is None or user.name not in ("Select", "SelectV2"):
            continue
        written = context.whole_expr_of(user)
        match parsed(written):
            case ast.Call(args=[_, one, other]):
                branches = [in_brackets(ast.unparse(each)) for each in (one, other)]
                blend = f"step * {branches[0]} + (1.0 - step) * {branches[1]}"
                return texts.SMOOTH_SWITCH(
                    blend=code(blend),
                    written=code(written),
                    line=context.line_of(user),
                    step=code(f"step = {step}"),
                    width=WIDTH,
                )
    return None


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
    usual=usual.soft_update,
)


@dataclass(frozen=True, kw_only=True)
class Copied(Facts):
    """A new constant or variable was made from a value.

    Attributes:
        value: The copy, where a tape that was open may have used it.
    """

    value: int | None = None


def _new_variable(context: FindingContext[Copied]) -> DiagnosticText:
    return texts.COPIED(
        call=context.the_expr,
        line=context.line,
        source=context.the_source,
        incomplete=context.incomplete,
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


def _custom_gradient_none(context: FindingContext[OfGradientFunction]) -> DiagnosticText:
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


def _own_rule_without_history(context: FindingContext[OfGradientFunction]) -> DiagnosticText:
    return texts.GRADIENT_WITHOUT_HISTORY(
        source=context.the_source,
        call=context.the_expr,
        line=context.line,
        end=context.place_line,
        function=code(context.op),
    )


# The same cause, for a second derivative: the first one exists, but the tape did not record how it was computed.
own_rule_without_history = replace(custom_gradient_none, says=_own_rule_without_history)


def _no_gradient_registered(context: FindingContext[Facts]) -> DiagnosticText:
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
