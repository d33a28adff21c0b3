"""A count of hits in the place of a loss: which cross entropy to train on instead.

loss_for    the loss that learns what the count measures, as one can type it
"""

from typing import Any

from minitape.explain.causes.cause import Scene
from minitape.explain.causes.rewriting import operands
from minitape.trace import events

_METRICS = {
    "binary_accuracy": "binary_crossentropy",
    "categorical_accuracy": "categorical_crossentropy",
    "sparse_categorical_accuracy": "sparse_categorical_crossentropy",
}
_EQUALITIES = {"Equal", "NotEqual"}
# How a guess is made of numbers, and what learns it. The truth comes first, then the numbers.
_GUESSES = {
    "ArgMax": "tf.nn.sparse_softmax_cross_entropy_with_logits",
    "Greater": "tf.keras.losses.binary_crossentropy",
    "GreaterEqual": "tf.keras.losses.binary_crossentropy",
    "Round": "tf.keras.losses.binary_crossentropy",
}
_FROM_ONE_HOT = "tf.nn.softmax_cross_entropy_with_logits"
_FURTHEST = 3  # from a guess to where it is compared: a cast, a reshape


def loss_for(scene: Scene[Any]) -> str | None:
    """What to train on where guesses are compared with the truth; None where nothing such is compared."""
    called = scene.whole_expr.partition("(")[0]
    module, _, metric = called.rpartition(".")
    if metric in _METRICS:
        loss = scene.whole_expr.replace(
            called, f"{module.replace('metrics', 'losses')}.{_METRICS[metric]}", 1
        )
        return _advice(loss)
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
    return _advice(f"{loss}({truth}, {numbers})") if truth and numbers else None


def _advice(loss: str) -> str:
    return f"train on {loss}, and only print this count of hits: it jumps or stays"


def _comparison(scene: Scene[Any], op: events.Op) -> events.Op | None:
    """The comparison that an op is, or that its result comes to within a few steps."""
    for _ in range(_FURTHEST):
        if op.name in _EQUALITIES:
            return op
        edges = scene.flow.out_of.get(op.outputs[0].id, ())
        users = [each for edge in edges if (each := scene.flow.op_behind(edge.end)) is not None]
        if not users:
            return None
        op = users[0]
    return op if op.name in _EQUALITIES else None


def _guess(scene: Scene[Any], value: int) -> events.Op | None:
    """The op that made a guess of numbers, behind a cast or two."""
    for _ in range(_FURTHEST):
        op = scene.flow.op_behind(value)
        if op is None or op.name in _GUESSES:
            return op
        value = op.inputs[0].value if op.inputs else value
    return None


def _first_operand(scene: Scene[Any], op: events.Op) -> str:
    return next(iter(operands(scene.expr_of(op))), "")
