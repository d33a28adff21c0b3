"""Accuracy in place of a loss: which cross-entropy loss to train on instead.

loss_for    the differentiable loss for what the accuracy measures, as code that can be pasted
"""

from minitape.explain.causes.cause import Facts, Scene
from minitape.explain.causes.rewriting import operands
from minitape.explain.causes.texts import code
from minitape.explain.causes.texts import cuts as texts
from minitape.trace import events

_METRICS = {
    "binary_accuracy": "binary_crossentropy",
    "categorical_accuracy": "categorical_crossentropy",
    "sparse_categorical_accuracy": "sparse_categorical_crossentropy",
}
_EQUALITIES = {"Equal", "NotEqual"}
# The op that turns scores into a prediction, and the loss for it. The loss takes the labels first, then the scores.
_GUESSES = {
    "ArgMax": "tf.nn.sparse_softmax_cross_entropy_with_logits",
    "Greater": "tf.keras.losses.binary_crossentropy",
    "GreaterEqual": "tf.keras.losses.binary_crossentropy",
    "Round": "tf.keras.losses.binary_crossentropy",
}
_FROM_ONE_HOT = "tf.nn.softmax_cross_entropy_with_logits"
_FURTHEST = 3  # ops between a prediction and its comparison: a cast, a reshape


def loss_for(scene: Scene[Facts]) -> str | None:
    """The advice which loss to train on where predictions are compared with labels; None for other comparisons."""
    called = scene.whole_expr.partition("(")[0]
    module, _, metric = called.rpartition(".")
    if metric in _METRICS:
        loss = scene.whole_expr.replace(
            called, f"{module.replace('metrics', 'losses')}.{_METRICS[metric]}", 1
        )
        return texts.TRAIN_ON(loss=code(loss))
    compared = _comparison(scene, scene.flow.op(scene.event.i))
    if compared is None:
        return None
    sides = [each.value for each in compared.inputs]
    guesses = [each for each in sides if scene.flow.leads(scene.value, [each])]
    truths = [each for each in sides if each not in guesses]
    if len(guesses) != 1 or len(truths) != 1:
        return None
    made, known = _guess(scene, guesses[0]), _guess(scene, truths[0])
    if made is None:
        return None
    loss, truth = _GUESSES[made.name], scene.name_of(truths[0])
    if made.name == "ArgMax" and known is not None and known.name == "ArgMax":
        loss, truth = _FROM_ONE_HOT, _first_operand(scene, known)
    numbers = _first_operand(scene, made)
    if not truth or not numbers:
        return None
    return texts.TRAIN_ON(loss=code(f"{loss}({truth}, {numbers})"))


def _comparison(scene: Scene[Facts], op: events.Op) -> events.Op | None:
    """The comparison that an op is, or that uses its result within a few steps."""
    for _ in range(_FURTHEST):
        if op.name in _EQUALITIES:
            return op
        edges = scene.flow.out_of.get(op.outputs[0].id, ())
        users = [each for edge in edges if (each := scene.flow.op_behind(edge.end)) is not None]
        if not users:
            return None
        op = users[0]
    return op if op.name in _EQUALITIES else None


def _guess(scene: Scene[Facts], value: int) -> events.Op | None:
    """The op that turned scores into a prediction, before a cast or two."""
    for _ in range(_FURTHEST):
        op = scene.flow.op_behind(value)
        if op is None or op.name in _GUESSES:
            return op
        value = op.inputs[0].value if op.inputs else value
    return None


def _first_operand(scene: Scene[Facts], op: events.Op) -> str:
    return next(iter(operands(scene.expr_of(op))), "")
