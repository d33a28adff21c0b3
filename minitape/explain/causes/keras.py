"""Causes in Keras: what its models and metrics give is for reading, and no tape follows it."""

import ast
import re
from typing import Any

from minitape.explain.causes.cause import Cause, OnCard, Scene
from minitape.explain.causes.cuts import LeftTape
from minitape.explain.causes.rewriting import parsed
from minitape.explain.causes.texts import Words
from minitape.explain.report import Evidence
from minitape.trace import events

_NUMBERS = OnCard("left the tape")


def _predict(scene: Scene[LeftTape]) -> Words:
    return Words(
        "predict gives NumPy arrays: the tape ends here",
        f"{scene.expr} in line {scene.line} runs the model for its answers alone, and gives them as NumPy arrays. "
        f"A tape follows tensors only: to it {_called(scene)} is a constant, and a constant does not depend on {scene.source}."
        f"{scene.share}",
        _with_the_model_itself(scene),
    )


keras_predict = Cause(
    "keras-predict", "MT201", says=_predict, evidence=Evidence.MARK, card=_NUMBERS, is_slip=True
)


def _called(scene: Scene[Any]) -> str:
    """What the user calls the numbers that came out."""
    site = scene.flow.innermost(scene.event)
    return site.target if site is not None and site.target else "what it gives"


def _with_the_model_itself(scene: Scene[Any]) -> str:
    """The user's line with the model called, and where to write it."""
    how = "True" if scene.value in scene.flow.variables else "False"
    better = model_itself(parsed(scene.whole_expr), how)
    opened = scene.tape_event
    is_before = opened is not None and scene.event.i < opened.i
    where = f", in the with block of line {scene.line_of(opened)}" if is_before else ""
    if better is None:
        return f"call the model itself, model(x, training={how}){where}"
    text, code = ast.unparse(better), scene.code_of(scene.event)
    if scene.whole_expr in code:
        return f"{code.replace(scene.whole_expr, text)} (line {scene.line}){where}"
    return f"{text} instead of {scene.whole_expr}{where}"


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
    also = " It has taken its own step already." if method == "train_on_batch" else ""
    return Words(
        f"{method} gives a plain number: the tape ends here",
        f"{scene.expr} in line {scene.line} computes the loss by itself, and gives it as a plain Python number.{also} "
        f"A tape follows tensors only: to it {_called(scene)} is a constant, and a constant does not depend on {scene.source}."
        f"{scene.share}",
        from_tensors(scene),
    )


def from_tensors(scene: Scene[Any]) -> str:
    """What to write instead of a call of Keras' that computes a loss by itself."""
    match parsed(scene.whole_expr):
        case ast.Call(func=ast.Attribute(value=owner), args=[x, y, *_]):
            model, given, goal = map(ast.unparse, (owner, x, y))
        case _:
            model, given, goal = "model", "x", "y"
    return (
        f"compute the loss inside the tape, from tensors: loss = loss_fn({goal}, {model}({given}, training=True)), "
        "with loss_fn = the loss that was given to compile"
    )


keras_evaluate = Cause(
    "keras-evaluate",
    "MT201",
    says=_evaluate,
    evidence=Evidence.MARK,
    card=_NUMBERS,
    is_slip=True,
    by_hand="what the model was compiled with has to be written out as a loss",
)


# Metrics that are a loss's mean over batches: the loss has their name.
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


def _metric(scene: Scene[Any]) -> Words:
    assert isinstance(scene.event, events.Assign)
    name = scene.name_of(scene.event.variable)
    metric = scene.whole_expr.partition("(")[0].removesuffix(".update_state")
    return Words(
        "a metric stores numbers and forgets where they came from",
        f"{metric} is a metric: {scene.expr} in line {scene.line} adds numbers to its variables ({name}), for a report. "
        f"The tape does not follow what a variable is given, so its result does not depend on {scene.source}.{scene.share}",
        _as_a_loss(scene, metric),
    )


metric_as_loss = Cause(
    "metric-as-loss", "MT205", says=_metric, card=OnCard("added to a metric"), is_slip=True
)


def _as_a_loss(scene: Scene[Any], metric: str) -> str:
    call = parsed(scene.whole_expr)
    given = [ast.unparse(each) for each in call.args[:2]] if isinstance(call, ast.Call) else []
    kind, made, named = _kind(scene)
    if not scene.whole_expr.startswith(f"{metric}.") and named and metric_to_loss(made):
        return f"{metric} = {metric_to_loss(made)} ({named})"
    if kind in _MEANS and given:
        return (
            f"use {given[0]} itself in {scene.target}, or tf.reduce_mean of a list of such tensors; "
            f"{metric} may keep its mean for the report"
        )
    if len(given) < 2:
        return f"compute {scene.target} from the tensors, with a loss of tf.keras.losses; {metric} is for the report"
    loss = metric_to_loss(made) or f"tf.keras.losses.{_COUNTS.get(kind, 'MeanSquaredError')}()"
    why = f"{kind} jumps and has no slope: " if kind in _COUNTS else ""
    return f"{why}{scene.target} = {loss}({', '.join(given)}), and keep {metric} for the report"


def _kind(scene: Scene[Any]) -> tuple[str, str, str]:
    """The metric's class, the expression that made it, and its line if it got the name there by which it is called."""
    assert isinstance(scene.event, events.Assign)
    made = scene.flow.variables.get(scene.event.variable)
    site = None if made is None else scene.flow.innermost(made)
    text = "" if site is None else " ".join(site.expression.split())
    is_named = site is not None and site.target == scene.whole_expr.partition("(")[0]
    line = f"line {scene.line_of(made)}" if is_named else ""
    return text.partition("(")[0].rpartition(".")[2], text, line


def metric_to_loss(made: str) -> str | None:
    """`keras.metrics.MeanSquaredError(name="mse")` → `keras.losses.MeanSquaredError()`."""
    found = re.match(r"((?:\w+\.)*)metrics\.(\w+)\(", made)
    if found is None or found[2] not in _LOSSES:
        return None
    return f"{found[1]}losses.{found[2].replace('LogCoshError', 'LogCosh')}({_settings(made)})"


def _settings(made: str) -> str:
    """The settings of a metric that its loss has too."""
    call = parsed(made)
    kept = [each for each in getattr(call, "keywords", ()) if each.arg == "from_logits"]
    return ", ".join(f"{each.arg}={ast.unparse(each.value)}" for each in kept)
