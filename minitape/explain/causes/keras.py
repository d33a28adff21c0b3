"""Causes in Keras: what its models and metrics return is for reading, and no tape records it."""

import ast
import re

from minitape.explain.causes.cause import Cause, Facts, OnCard, Scene
from minitape.explain.causes.cuts import LeftTape
from minitape.explain.causes.rewriting import parsed
from minitape.explain.causes.texts import Words, code
from minitape.explain.causes.texts import keras as texts
from minitape.explain.causes.wording.storing import StoredInVariable
from minitape.explain.report import Evidence
from minitape.trace import events

_NUMBERS = OnCard(texts.LEFT_CARD)


def _predict(scene: Scene[LeftTape]) -> Words:
    return texts.PREDICT(
        call=scene.the_expr,
        line=scene.line,
        result=_called(scene),
        source=scene.the_source,
        incomplete=scene.share,
        fix=_with_the_model_itself(scene),
    )


keras_predict = Cause(
    "keras-predict", "MT201", says=_predict, evidence=Evidence.MARK, card=_NUMBERS, is_slip=True
)


def _called(scene: Scene[LeftTape]) -> str:
    """The result of the call, as the first words of a sentence."""
    site = scene.flow.innermost(scene.event)
    return code(site.target) if site is not None and site.target else texts.ITS_RESULT


def _with_the_model_itself(scene: Scene[LeftTape]) -> str:
    """The user's line with the model called, and where to write it."""
    how = "True" if scene.value in scene.flow.variables else "False"
    better = model_itself(parsed(scene.whole_expr), how)
    opened = scene.tape_event
    is_before = opened is not None and scene.event.i < opened.i
    where = texts.IN_BLOCK(line=scene.line_of(opened)) if is_before else ""
    if better is None:
        return texts.CALL_MODEL(call=code(f"model(x, training={how})"), where=where)
    text, line = ast.unparse(better), scene.code_of(scene.event)
    if scene.whole_expr in line:
        statement = code(line.replace(scene.whole_expr, text))
        return texts.WRITE_CALL(statement=statement, line=scene.line, where=where)
    return texts.USE_CALL(call=code(text), written=scene.the_whole_expr, where=where)


def model_itself(call: ast.expr | None, training: str) -> ast.expr | None:
    """`model.predict(x, verbose=0)` → `model(x, training=True)`."""
    match call:
        case ast.Call(func=ast.Attribute(value=model, attr="predict" | "predict_on_batch")):
            given = call.args[:1] or [each.value for each in call.keywords if each.arg == "x"]
            if given and not isinstance(given[0], ast.Starred):
                how = ast.keyword("training", ast.Constant(training == "True"))
                return ast.Call(model, given, [how])
    return None


def _evaluate(scene: Scene[LeftTape]) -> Words:
    method = scene.facts.via.removeprefix("Model.")
    entry = texts.TRAIN_ON_BATCH if method == "train_on_batch" else texts.EVALUATE
    return entry(
        method=code(method),
        call=scene.the_expr,
        line=scene.line,
        result=_called(scene),
        source=scene.the_source,
        incomplete=scene.share,
        fix=from_tensors(scene),
    )


def from_tensors(scene: Scene[Facts]) -> str:
    """What to write instead of a call of Keras that computes a loss without recording."""
    match parsed(scene.whole_expr):
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


def _metric(scene: Scene[StoredInVariable]) -> Words:
    assert isinstance(scene.event, events.Assign)
    metric = scene.whole_expr.partition("(")[0].removesuffix(".update_state")
    return texts.METRIC(
        metric=code(metric),
        call=scene.the_expr,
        line=scene.line,
        variable=scene.called(scene.event.variable),
        source=scene.the_source,
        incomplete=scene.share,
        fix=_as_a_loss(scene, metric),
    )


metric_as_loss = Cause(
    "metric-as-loss", "MT205", says=_metric, card=OnCard(texts.METRIC_CARD), is_slip=True
)


def _as_a_loss(scene: Scene[StoredInVariable], metric: str) -> str:
    """What to write instead of a metric in the place of a loss."""
    call = parsed(scene.whole_expr)
    given = [ast.unparse(each) for each in call.args[:2]] if isinstance(call, ast.Call) else []
    kind, made, line = _kind(scene)
    loss = metric_to_loss(made)
    if not scene.whole_expr.startswith(f"{metric}.") and line is not None and loss:
        return texts.LOSS_INSTEAD(statement=code(f"{metric} = {loss}"), line=line)
    if kind in _MEANS and given:
        return texts.VALUE_ITSELF(
            value=code(given[0]), target=scene.the_target, metric=code(metric)
        )
    if len(given) < 2:
        return texts.LOSS_FROM_KERAS(target=scene.the_target, metric=code(metric))
    loss = loss or f"tf.keras.losses.{_COUNTS.get(kind, 'MeanSquaredError')}()"
    statement = code(f"{scene.target} = {loss}({', '.join(given)})")
    if kind in _COUNTS:
        return texts.LOSS_FOR_ACCURACY(statement=statement, metric=code(metric), kind=code(kind))
    return texts.LOSS_AND_METRIC(statement=statement, metric=code(metric))


def _kind(scene: Scene[StoredInVariable]) -> tuple[str, str, int | str | None]:
    """The class of the metric, the expression that made it, and its line if that line gave it the name of the call."""
    assert isinstance(scene.event, events.Assign)
    made = scene.flow.variables.get(scene.event.variable)
    site = None if made is None else scene.flow.innermost(made)
    text = "" if site is None else " ".join(site.expression.split())
    is_named = site is not None and site.target == scene.whole_expr.partition("(")[0]
    line = scene.line_of(made) if is_named else None
    return text.partition("(")[0].rpartition(".")[2], text, line


def metric_to_loss(made: str) -> str | None:
    """`keras.metrics.MeanSquaredError(name="mse")` → `keras.losses.MeanSquaredError()`."""
    found = re.match(r"((?:\w+\.)*)metrics\.(\w+)\(", made)
    if found is None or found[2] not in _LOSSES:
        return None
    return f"{found[1]}losses.{found[2].replace('LogCoshError', 'LogCosh')}({_settings(made)})"


def _settings(made: str) -> str:
    """The settings of a metric that its loss also has."""
    call = parsed(made)
    kept = [each for each in getattr(call, "keywords", ()) if each.arg == "from_logits"]
    return ", ".join(f"{each.arg}={ast.unparse(each.value)}" for each in kept)
