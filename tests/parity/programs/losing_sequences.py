"""The loss of Keras for sequences whose labels have no moments."""

from typing import Any

from programs.case import Case, Program, rounds, table
from programs.layers import _numbers

_CLOSE = rounds(2e-5, "float32, in another order")
LABELS = [[1, 2, 0], [3, 3, 1], [2, 0, 0]]


def _ctc(labels: Any = LABELS, weights: Any = None, **settings: Any) -> Program:
    def program(tf: Any, np: Any) -> Any:
        logits = tf.constant(3 * _numbers(np, (3, 6, 4), 1))
        loss = tf.keras.losses.CTC(**settings)
        with tf.GradientTape() as tape:
            tape.watch(logits)
            y = loss(np.array(labels), logits, sample_weight=weights)
        return y, loss.name, tape.gradient(y, logits)

    return program


PROGRAMS = {
    "ctc": _ctc(),
    "ctc_of_each": _ctc(reduction=None),
    "ctc_weighted": _ctc(reduction="sum", weights=[1.0, 0.0, 2.0]),
    "ctc_of_float_labels": _ctc([[1.0, 2.0, 0.0], [3.0, 3.0, 1.0], [2.0, 0.0, 0.0]]),
    "ctc_of_flat_labels": _ctc([1, 2, 3]),
    "ctc_of_rows": lambda tf, np: tf.keras.losses.CTC()(np.array(LABELS), tf.ones([3, 4])),
    "ctc_by_its_name": lambda tf, np: tf.keras.losses.get("ctc")(
        np.array(LABELS), tf.constant(_numbers(np, (3, 6, 4), 2))
    ),
}
TABLE: tuple[Case, ...] = tuple(map(_CLOSE, table(PROGRAMS)))
