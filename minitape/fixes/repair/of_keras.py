"""Rules for Keras: call the model itself, and use the loss instead of the metric."""

import ast

from minitape.explain.causes.keras import metric_to_loss, model_itself
from minitape.explain.causes.rewriting import parsed
from minitape.fixes.repair.changes import instead
from minitape.fixes.text.syntax import FixContext, exchange, expressions_at, placed


def call_the_model(tree: ast.Module, spot: FixContext) -> str | None:
    """Rewrite `model.predict(x)` as `model(x, training=True)`."""
    training = "False" if "training=False" in spot.fix else "True"
    for node in expressions_at(tree, spot.place):
        better = model_itself(node, training)
        if better is not None:
            exchange(tree, node, placed(better, node))
            return instead(better, node)
    return None


def loss_for_metric(tree: ast.Module, spot: FixContext) -> str | None:
    """Replace a metric that is called like a loss, such as `keras.metrics.MeanSquaredError()`, with the loss of the same name."""
    for node in expressions_at(tree, spot.place):
        made = _maker(tree, node)
        better = None if made is None else parsed(metric_to_loss(ast.unparse(made)) or "")
        if made is not None and better is not None:
            exchange(tree, made, placed(better, made))
            return instead(better, made)
    return None


def _maker(tree: ast.Module, call: ast.expr) -> ast.expr | None:
    """Return the expression that created the called object, which is the last value of its name."""
    match call:
        case ast.Call(func=ast.Name() | ast.Attribute() as name):
            given = [
                node.value
                for node in ast.walk(tree)
                if isinstance(node, ast.Assign)
                and ast.unparse(node.targets[0]) == ast.unparse(name)
            ]
            return given[-1] if given else None
    return None
