"""Accuracy in place of a loss: which cross-entropy loss to train on instead.

loss_for    the differentiable loss for what the accuracy measures, as code that can be pasted
"""

import re

from minitape.explain.causes.cause import Facts, FindingContext
from minitape.explain.causes.rewriting import is_place, operands
from minitape.explain.causes.texts import code
from minitape.explain.causes.texts import cuts as texts
from minitape.explain.flow.program.scopes import is_known_at
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
# The maximum number of ops between a prediction and its comparison, such as a cast or a reshape.
_FURTHEST = 3


def loss_for(context: FindingContext[Facts]) -> str | None:
    """Return the advice on which loss to train on instead of a comparison of predictions with labels; None for other
    comparisons.
    """
    called = context.whole_expr.partition("(")[0]
    module, _, metric = called.rpartition(".")
    if metric in _METRICS:
        loss = context.whole_expr.replace(
            called, f"{module.replace('metrics', 'losses')}.{_METRICS[metric]}", 1
        )
        return _trained_on(context, loss)
    compared = _comparison(context, context.flow.op(context.event.i))
    if compared is None:
        return None
    sides = [each.value for each in compared.inputs]
    guesses = [each for each in sides if context.flow.leads(context.value, [each])]
    truths = [each for each in sides if each not in guesses]
    if len(guesses) != 1 or len(truths) != 1:
        return None
    made, known = _guess(context, guesses[0]), _guess(context, truths[0])
    if made is None:
        return None
    loss, truth = _GUESSES[made.name], _truth(context, compared, truths[0])
    if made.name == "ArgMax" and known is not None and known.name == "ArgMax":
        loss, truth = _FROM_ONE_HOT, _first_operand(context, known)
    numbers = _first_operand(context, made)
    if not truth or not numbers:
        return None
    return _trained_on(context, f"{loss}({truth}, {numbers})")


def _truth(context: FindingContext[Facts], compared: events.OpEvent, value: int) -> str:
    """Return the labels as the function of the comparison names them; the caller may name them differently."""
    site, name = context.flow.innermost(compared), context.name_of(value)
    given = operands(context.whole_expr_of(compared))
    if site is None or len(given) != len(compared.inputs):
        return name
    written = given[[each.value for each in compared.inputs].index(value)]
    program = context.flow.texts.get(site.at.file, "")
    is_here = not program or is_known_at(program, site.at.line, name)
    return name if is_here and not is_place(written) else written


def _trained_on(context: FindingContext[Facts], loss: str) -> str:
    """Return the statement that computes the target from a loss, if the function of the finding computes the target."""
    targets = context.call.event.targets
    made = context.flow.op_behind(targets[0]) if targets else None
    site = None if made is None else context.flow.innermost(made)
    here = context.flow.innermost(context.event)
    is_same = site is not None and here is not None and site.function == here.function
    numbers = context.flow.numbers.get(targets[0]) if targets else None
    if numbers is None or not numbers.shape:  # the target is a single number
        loss = f"tf.reduce_mean({loss})"
    first = re.match(rf"return |{re.escape(context.target)} = ", "" if site is None else site.code)
    if first is None or not is_same:
        return texts.TRAIN_ON(loss=code(loss))
    statement = code(f"{first[0]}{loss}")
    return texts.TRAIN_ON_LINE(statement=statement, line=context.line_of(made))


def _comparison(context: FindingContext[Facts], op: events.OpEvent) -> events.OpEvent | None:
    """Return the comparison that an op is, or that uses its result within a few steps."""
    for _ in range(_FURTHEST):
        if op.name in _EQUALITIES:
            return op
        edges = context.flow.out_of.get(op.outputs[0].id, ())
        users = [each for edge in edges if (each := context.flow.op_behind(edge.end)) is not None]
        if not users:
            return None
        op = users[0]
    return op if op.name in _EQUALITIES else None


def _guess(context: FindingContext[Facts], value: int) -> events.OpEvent | None:
    """Return the op that turned scores into a prediction, before a cast or two."""
    for _ in range(_FURTHEST):
        op = context.flow.op_behind(value)
        if op is None or op.name in _GUESSES:
            return op
        value = op.inputs[0].value if op.inputs else value
    return None


def _first_operand(context: FindingContext[Facts], op: events.OpEvent) -> str:
    return next(iter(operands(context.expr_of(op))), "")
