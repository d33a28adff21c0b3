"""Causes in Keras: its models and metrics return plain values for display, which no tape records."""

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from minitape.explain.causes.cause import Cause, Facts, FindingContext, OnCard
from minitape.explain.causes.cuts import LeftTape
from minitape.explain.causes.rewriting import parsed
from minitape.explain.causes.texts import DiagnosticText, code
from minitape.explain.causes.texts import keras as texts
from minitape.explain.causes.wording import usual
from minitape.explain.causes.wording.storing import StoredInVariable
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.explain.report import Confidence, Evidence
from minitape.source_text import walk
from minitape.trace import events

_NUMBERS = OnCard(texts.LEFT_CARD)


def _predict(context: FindingContext[LeftTape]) -> DiagnosticText:
    return texts.PREDICT(
        call=context.the_expr,
        line=context.line,
        result=_called(context),
        source=context.the_source,
        incomplete=context.incomplete,
        fix=_with_the_model_itself(context),
    )


keras_predict = Cause(
    "keras-predict",
    "MT201",
    says=_predict,
    evidence=Evidence.MARK,
    card=_NUMBERS,
    is_slip=True,
    usual=usual.model_call,
)


def _called(context: FindingContext[LeftTape]) -> str:
    """Return the result of the call, as the first words of a sentence."""
    site = context.flow.innermost(context.event)
    return code(site.target) if site is not None and site.target else texts.ITS_RESULT


def _with_the_model_itself(context: FindingContext[LeftTape]) -> str:
    """Return the user's line with the model called, and where to write it."""
    how = "True" if context.value in context.flow.variables else "False"
    better = model_itself(parsed(context.whole_expr), how)
    opened = context.tape_event
    is_before = opened is not None and context.event.i < opened.i
    where = texts.IN_BLOCK(line=context.line_of(opened)) if is_before else ""
    if better is None:
        return texts.CALL_MODEL(call=code(f"model(x, training={how})"), where=where)
    text, line = ast.unparse(better), context.code_of(context.event)
    if context.whole_expr in line:
        statement = code(line.replace(context.whole_expr, text))
        if is_before and opened is not None:
            return texts.WRITE_IN_BLOCK(statement=statement, line=context.line_of(opened))
        return texts.WRITE_CALL(statement=statement, line=context.line, where=where)
    return texts.USE_CALL(call=code(text), written=context.the_whole_expr, where=where)


def model_itself(call: ast.expr | None, training: str) -> ast.expr | None:
    """Rewrite `model.predict(x, verbose=0)` as `model(x, training=True)`."""
    match call:
        case ast.Call(func=ast.Attribute(value=model, attr="predict" | "predict_on_batch")):
            given = call.args[:1] or [each.value for each in call.keywords if each.arg == "x"]
            if given and not isinstance(given[0], ast.Starred):
                how = ast.keyword("training", ast.Constant(training == "True"))
                return ast.Call(model, given, [how])
    return None


def _evaluate(context: FindingContext[LeftTape]) -> DiagnosticText:
    method = context.facts.via.removeprefix("Model.")
    entry = texts.TRAIN_ON_BATCH if method == "train_on_batch" else texts.EVALUATE
    return entry(
        method=code(method),
        call=context.the_expr,
        line=context.line,
        result=_called(context),
        source=context.the_source,
        incomplete=context.incomplete,
        fix=from_tensors(context),
    )


def from_tensors(context: FindingContext[Facts]) -> str:
    """Return what to write instead of a call of Keras that computes a loss without recording."""
    match parsed(context.whole_expr):
        case ast.Call(func=ast.Attribute(value=owner), args=[x, y, *_]):
            model, given, target = map(ast.unparse, (owner, x, y))
        case _:
            model, given, target = "model", "x", "y"
    statement = f"loss = loss_fn({target}, {model}({given}, training=True))"
    return texts.LOSS_FROM_TENSORS(statement=code(statement))


keras_evaluate = Cause(
    "keras-evaluate",
    "MT201",
    says=_evaluate,
    evidence=Evidence.MARK,
    card=_NUMBERS,
    is_slip=True,
    by_hand=texts.EVALUATE_BY_HAND,
)


# Metrics that are the mean of a loss over batches; the loss has the same name.
_LOSSES = {
    "BinaryCrossentropy", "CategoricalCrossentropy", "CategoricalHinge", "CosineSimilarity", "Hinge", "KLDivergence",
    "LogCoshError", "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanSquaredError", "MeanSquaredLogarithmicError",
    "Poisson", "SparseCategoricalCrossentropy", "SquaredHinge",
}  # fmt: skip
_COUNTS = {
    "BinaryAccuracy": "BinaryCrossentropy",
    "CategoricalAccuracy": "CategoricalCrossentropy",
    "SparseCategoricalAccuracy": "SparseCategoricalCrossentropy",
    "SparseTopKCategoricalAccuracy": "SparseCategoricalCrossentropy",
    "TopKCategoricalAccuracy": "CategoricalCrossentropy",
}
_MEANS = ("Mean", "Sum", "MeanTensor")


def _metric(context: FindingContext[StoredInVariable]) -> DiagnosticText:
    assert isinstance(context.event, events.AssignEvent)
    metric = context.whole_expr.partition("(")[0].removesuffix(".update_state")
    return texts.METRIC(
        metric=code(metric),
        call=context.the_expr,
        line=context.line,
        variable=context.called(context.event.variable),
        source=context.the_source,
        incomplete=context.incomplete,
        fix=_as_a_loss(context, metric),
    )


metric_as_loss = Cause(
    "metric-as-loss",
    "MT205",
    says=_metric,
    card=OnCard(texts.METRIC_CARD),
    is_slip=True,
    usual=usual.loss_and_metric,
)


def _as_a_loss(context: FindingContext[StoredInVariable], metric: str) -> str:
    """Return the code to write instead of a metric that is used as a loss."""
    call = parsed(context.whole_expr)
    given = [ast.unparse(each) for each in call.args[:2]] if isinstance(call, ast.Call) else []
    kind, made, line = _kind(context)
    loss = metric_to_loss(made)
    if not context.whole_expr.startswith(f"{metric}.") and line is not None and loss:
        return texts.LOSS_INSTEAD(statement=code(f"{metric} = {loss}"), line=line)
    read = _result_of(context, metric)
    if kind in _MEANS and given:
        return _mean_itself(context, metric, given[0], read)
    if len(given) < 2:
        return texts.LOSS_FROM_KERAS(target=context.the_target, metric=code(metric))
    loss = loss or f"tf.keras.losses.{_COUNTS.get(kind, 'MeanSquaredError')}()"
    computed = f"{loss}({', '.join(given)})"
    if kind in _COUNTS:
        return _loss_for_accuracy(context, metric, computed, kind, read)
    written = context.whole_expr if read is None else ast.unparse(read.call)
    return texts.LOSS_AND_METRIC(
        loss=code(computed),
        written=code(written),
        line=context.line if read is None else read.call.lineno,
        metric=code(metric),
    )


class _Result(NamedTuple):
    """The call that reads a metric, and the statement and the loop around it, as nodes of the program."""

    call: ast.Call
    statement: ast.stmt
    update_loop: ast.For | None


def _result_of(context: FindingContext[StoredInVariable], metric: str) -> _Result | None:
    """Return where the function of the finding reads the metric: `metric.result()`."""
    site = context.flow.innermost(context.event)
    program = "" if site is None else context.flow.texts.get(site.at.file, "")
    return _read_after(program, context.place_line, metric)


@lru_cache(maxsize=64)  # called with the same line for each source
def _read_after(program: str, line: int, metric: str) -> _Result | None:
    """Return the first call after a line that reads the metric."""
    tree, loop = tree_or_empty(program), None
    found: tuple[ast.Call, ast.stmt] | None = None
    for node in walk(tree):
        if isinstance(node, ast.For) and node.lineno < line <= (node.end_lineno or 0):
            loop = node
        if not isinstance(node, ast.Assign | ast.Return | ast.AugAssign | ast.AnnAssign):
            continue
        for each in walk(node):
            match each:
                case ast.Call(func=ast.Attribute(value=owner, attr="result"), args=[]):
                    is_next = found is None or each.lineno < found[0].lineno
                    if ast.unparse(owner) == metric and line <= each.lineno and is_next:
                        found = each, node
    if found is None:
        return None
    is_in_loop = loop is not None and found[0].lineno <= (loop.end_lineno or 0)
    return _Result(*found, None if is_in_loop else loop)


def _mean_itself(
    context: FindingContext[StoredInVariable], metric: str, value: str, read: _Result | None
) -> str:
    """Return what to write instead of the mean that a metric keeps."""
    given = {"value": code(value), "metric": code(metric)}
    if read is None:
        return texts.VALUE_ITSELF(target=context.the_target, **given)
    written, line = code(ast.unparse(read.call)), read.call.lineno
    if read.update_loop is None:
        return texts.VALUE_INSTEAD(written=written, line=line, **given)
    return texts.MEAN_OF_LIST(
        append=code(f"values.append({value})"),
        update=context.line,
        loop=read.update_loop.lineno,
        written=written,
        line=line,
        metric=code(metric),
    )


def _loss_for_accuracy(
    context: FindingContext[StoredInVariable],
    metric: str,
    loss: str,
    kind: str,
    read: _Result | None,
) -> str:
    """Return the statement with a loss in place of an accuracy; functions of the accuracy are removed with it."""
    name, line = f"{context.target} =", context.line
    if read is not None:
        line = read.call.lineno
        match read.statement:
            case ast.Assign(targets=[target]):
                name = f"{ast.unparse(target)} ="
            case ast.Return():
                name = "return"
    statement = code(f"{name} {loss}")
    return texts.LOSS_FOR_ACCURACY(
        statement=statement, line=line, metric=code(metric), kind=code(kind)
    )


def _kind(context: FindingContext[StoredInVariable]) -> tuple[str, str, int | str | None]:
    """Return the class of the metric, the expression that created it, and its line if that line assigns it to the name used in
    the call.
    """
    assert isinstance(context.event, events.AssignEvent)
    made = context.flow.variables.get(context.event.variable)
    site = None if made is None else context.flow.innermost(made)
    text = "" if site is None else " ".join(site.expression.split())
    is_named = site is not None and site.target == context.whole_expr.partition("(")[0]
    line = context.line_of(made) if is_named else None
    return text.partition("(")[0].rpartition(".")[2], text, line


def metric_to_loss(made: str) -> str | None:
    """Rewrite `keras.metrics.MeanSquaredError(name="mse")` as `keras.losses.MeanSquaredError()`."""
    found = re.match(r"((?:\w+\.)*)metrics\.(\w+)\(", made)
    if found is None or found[2] not in _LOSSES:
        return None
    return f"{found[1]}losses.{found[2].replace('LogCoshError', 'LogCosh')}({_settings(made)})"


def _settings(made: str) -> str:
    """Return the settings of a metric that its loss also has."""
    call = parsed(made)
    kept = [each for each in getattr(call, "keywords", ()) if each.arg == "from_logits"]
    return ", ".join(f"{each.arg}={ast.unparse(each.value)}" for each in kept)


@dataclass(frozen=True, kw_only=True)
class LeftOut(Facts):
    """A loss that a layer passed to `add_loss`, and that the target does not contain.

    Attributes:
        added: The event of the op that computed this loss.
        owner: The model whose weights the gradient call requests, as it is written there; None if unknown.
    """

    added: int
    owner: str | None


def _losses_left_out(context: FindingContext[LeftOut]) -> DiagnosticText:
    losses = f"tf.add_n({context.facts.owner or 'model'}.losses)"
    given, found, value = " ".join(context.code_of(context.event).split()).partition(" = ")
    term = parsed(value) if found else None
    advice = texts.ADD_LOSSES(losses=code(losses), target=context.the_target)
    if term is not None and given == context.target and context.facts.owner is not None:
        summand = value if isinstance(term, ast.BinOp | ast.Call | ast.Name) else f"({value})"
        statement = code(f"{given} = {summand} + {losses}")
        advice = texts.WRITE_SUM(statement=statement, line=context.line)
    added = context.flow.op(context.facts.added)
    return texts.LOSSES_LEFT_OUT(
        target=context.the_target,
        added=code(context.code_of(added)),
        line=context.line_of(added),
        source=context.the_source,
        place=context.place_line,
        fix=advice,
    )


losses_left_out = Cause(
    "losses-left-out",
    "MT304",
    says=_losses_left_out,
    confidence=Confidence.LIKELY,
    by_hand=texts.WEIGHT_OF_LOSS,
)
