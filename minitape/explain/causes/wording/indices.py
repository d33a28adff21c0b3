"""An index of the largest or smallest score, which is not differentiable: the weights of all indices to use instead.

tf.gather(table, ids)               tf.tensordot(tf.nn.softmax(scores), table, 1)
embedding(ids)                      tf.tensordot(tf.nn.softmax(scores), embedding.embeddings, 1)
tf.one_hot(ids, 3)                  tf.nn.softmax(scores)
tf.cast(ids, tf.float32)            tf.reduce_sum(tf.nn.softmax(scores) * tf.range(3.0), axis=-1)
the same as the target              tf.reduce_max(scores)

The same for a comparison with the maximum, and for the order and the ranks of values:

tf.cast(scores >= tf.reduce_max(scores, axis=-1, keepdims=True), tf.float32)    tf.nn.softmax(scores, axis=-1)
tf.argsort(tf.argsort(values))      sums of tf.sigmoid((value - other) / width)
tf.gather(values, tf.argsort(values))                                           tf.sort(values)
"""

import ast
from typing import Any

from minitape.explain.causes.cause import FindingContext
from minitape.explain.causes.rewriting import WIDTH, is_place, parsed
from minitape.explain.causes.texts import code
from minitape.explain.causes.texts import cuts as texts
from minitape.explain.flow.graph import FlowGraph
from minitape.trace import events

_LOOKUPS = ("GatherV2", "ResourceGather")
_SEARCHED = 32  # the maximum number of values to search that were computed from an order of values
_STEPS = 4  # the maximum number of ops between an index and its use, such as a cast or a reshape


def weighted(context: FindingContext[Any], op: str) -> str | None:
    """Return what to write where the index is used; None if that depends on the program.

    Args:
        context: A finding at an `ArgMax` or `ArgMin`.
        op: The name of that op.
    """
    found = context.flow.op(context.event.i)
    scores = context.flow.numbers.get(found.inputs[0].value)
    if scores is None or scores.dtype != "float32":
        return None
    axis = found.attrs.get("axis", found.attrs.get("dimension", 0))  # the name in TensorFlow
    if axis not in (-1, len(scores.shape) - 1):
        return None
    user = _user(context, found)
    if user is None or not _is_in_same_function(context, user):
        return None
    weights = _weights(context, op, found)
    line = context.line_of(user)
    written = context.whole_expr_of(user)
    if user.name in _LOOKUPS:
        table = _table(context, user, written)
        if table is None:
            return None
        rows = f"tf.tensordot({weights}, {table}, 1)"
        return texts.WEIGHTED_ROWS(lookup=code(written), line=line, rows=code(rows))
    if user.name == "OneHot":
        return texts.WEIGHTS_NOT_ONE_HOT(weights=code(weights), written=code(written), line=line)
    if user.outputs[0].id in context.call.event.targets:
        best, axis = "max" if op == "ArgMax" else "min", ", axis=-1" * (len(scores.shape) > 1)
        score = code(f"tf.reduce_{best}({context.given(0)}{axis})")
        return texts.SCORE_NOT_INDEX(score=score, written=code(written), line=line)
    mean = f"tf.reduce_sum({weights} * tf.range({scores.shape[-1]}.0), axis=-1)"
    return texts.MEAN_INDEX_ON_LINE(mean=code(mean), written=code(written), line=line)


def sampled(context: FindingContext[Any]) -> str | None:
    """Return the differentiable sample to write for the one-hot vector of a sampled index; None where there is no such vector."""
    found = context.flow.op(context.event.i)
    user, logits = _user(context, found), context.given(0)
    if user is None or user.name != "OneHot" or not _is_in_same_function(context, user):
        return None
    if not is_place(logits):
        return None
    noise = f"tf.math.log(-tf.math.log(tf.random.uniform(tf.shape({logits}), 1e-6)))"
    return texts.SOFT_SAMPLE(
        sample=code(f"tf.nn.softmax({logits} - {noise})"),
        written=code(context.whole_expr_of(user)),
        line=context.line_of(user),
    )


def _user(context: FindingContext[Any], found: events.OpEvent) -> events.OpEvent | None:
    """Return the op that uses the index: a lookup, a one-hot vector, or a conversion to `float32`."""
    value = found.outputs[0].id
    for _ in range(_STEPS):
        users = [context.flow.op_behind(each.end) for each in context.flow.out_of.get(value, ())]
        user = next((each for each in users if each is not None), None)
        if user is None:
            return None
        is_lookup = user.name in _LOOKUPS and user.inputs[0].value != value
        is_float = user.name == "Cast" and user.outputs[0].dtype == "float32"
        if is_lookup or is_float or user.name == "OneHot":
            return user
        value = user.outputs[0].id
    return None


def _is_in_same_function(context: FindingContext[Any], user: events.OpEvent) -> bool:
    """Whether the scores have their name where the index is used."""
    here, there = context.flow.innermost(context.event), context.flow.innermost(user)
    return here is not None and there is not None and here.function == there.function


def _weights(context: FindingContext[Any], op: str, found: events.OpEvent) -> str:
    scores = context.given(0)
    behind = context.flow.op_behind(found.inputs[0].value)
    if behind is not None and behind.name == "Softmax" and op == "ArgMax":
        return scores
    return f"tf.nn.softmax({scores if op == 'ArgMax' else f'-({scores})'})"


def _table(context: FindingContext[Any], user: events.OpEvent, written: str) -> str | None:
    """Return the table of a lookup as the program can name it; for a layer that is its variable `embeddings`."""
    name = context.name_of(user.inputs[0].value)
    match parsed(written):
        case ast.Call(func=ast.Attribute(attr="gather" | "embedding_lookup"), args=[table, *_]):
            return ast.unparse(table)
        case ast.Call(func=layer, args=[_], keywords=[]) if "embeddings" in name:
            return f"{ast.unparse(layer)}.embeddings"
    return None if "/" in name or parsed(name) is None else name


def of_maximum(context: FindingContext[Any]) -> str | None:
    """Return the softmax to use where scores are compared with their own maximum; None for another comparison."""
    flow = context.flow
    compared = flow.op(context.event.i)
    for scores, other in (compared.inputs, compared.inputs[::-1]):
        largest = flow.op_behind(other.value)
        if largest is None or largest.name != "Max" or largest.inputs[0].value != scores.value:
            continue
        uses = [flow.op_behind(each.end) for each in flow.out_of.get(compared.outputs[0].id, ())]
        cast = next((each for each in uses if each is not None and each.name == "Cast"), None)
        axis = _last_axis(flow, largest)
        if cast is None or axis is None or not is_place(scores.text or ""):
            return None
        return texts.SOFTMAX_NOT_MAXIMUM(
            weights=code(f"tf.nn.softmax({scores.text}, axis={axis})"),
            written=code(context.whole_expr_of(cast)),
            line=context.line_of(cast),
        )
    return None


def _last_axis(flow: FlowGraph, reduced: events.OpEvent) -> int | None:
    """Return the single axis of a reduction, counted from the end; None if there are several or it is not known."""
    given = reduced.attrs.get("axis", reduced.attrs.get("reduction_indices"))
    axes = given if isinstance(given, list) else [given]
    rank = len(flow.numbers[reduced.inputs[0].value].shape)
    if len(axes) != 1 or not isinstance(axes[0], int):
        return None
    return axes[0] if axes[0] < 0 else axes[0] - rank


def of_order(context: FindingContext[Any]) -> str:
    """Return what to write instead of the order of values: smooth ranks, the sorted values, or the scores themselves."""
    flow = context.flow
    waiting = [(each.id, False) for each in flow.op(context.event.i).outputs]
    for value, is_rank in waiting:
        if flow.is_smooth(value) or len(waiting) > _SEARCHED:
            continue
        for edge in flow.out_of.get(value, ()):
            use = flow.op_behind(edge.end)
            if use is None:
                continue
            if use.name in (*_LOOKUPS, "GatherNd") and not is_rank:
                return texts.VALUES_NOT_INDICES
            if flow.is_smooth(edge.end) and is_rank:
                return _smooth_ranks(context, use) or texts.SCORES_NOT_INDICES
            waiting.append((edge.end, is_rank or use.name == "TopKV2"))
    return texts.SCORES_NOT_INDICES


def _smooth_ranks(context: FindingContext[Any], ranks: events.OpEvent) -> str | None:
    """Return the replacement for ranks, `tf.argsort(tf.argsort(values))`, that are converted to floats."""
    match parsed(context.whole_expr):
        case ast.Call(args=[values], keywords=settings) if is_place(ast.unparse(values)):
            x = ast.unparse(values)
        case _:
            return None
    given = {each.arg: ast.unparse(each.value) for each in settings}
    is_same_function = _is_in_same_function(context, ranks)
    if not is_same_function or given.keys() - {"axis"} or given.get("axis", "-1") != "-1":
        return None
    differences = f"tf.expand_dims({x}, -1) - tf.expand_dims({x}, -2)"
    return texts.SOFT_RANKS(
        ranks=code(f"tf.reduce_sum(tf.sigmoid(({differences}) / width), axis=-1) - 0.5"),
        written=code(context.whole_expr_of(ranks)),
        line=context.line_of(ranks),
        width=WIDTH,
    )
