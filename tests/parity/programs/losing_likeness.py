"""`tf.keras.losses.Circle`: embeddings of one label close together, all others apart."""

from typing import Any

from programs.case import table

_LABELS = [0, 1, 0, 1, 2]
_ROWS = [[0.6, 0.8], [0.8, -0.6], [1.0, 0.0], [0.0, -1.0], [-0.6, 0.8]]
_REFERENCE = [[1.0, 0.0], [0.0, 1.0], [-0.8, 0.6]]


def _slopes(tf: Any, loss: Any) -> Any:
    """The loss, its gradient, a second one along a direction, and the slope forwards."""
    x, direction = tf.constant(_ROWS), tf.constant([[0.1, -0.2]] * 5)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loss(x)
        slope = tape.gradient(y, x)
        along = tf.reduce_sum(slope * direction)
    with tf.autodiff.ForwardAccumulator(x, direction) as forward:
        again = loss(x)
    return [y, slope, outer.gradient(along, x), forward.jvp(again)]


def gradients_of_the_function(tf: Any, np: Any) -> Any:
    """The last example is the only one of its label: its loss is 0."""
    return _slopes(tf, lambda x: tf.keras.losses.circle(tf.constant(_LABELS), x, gamma=4))


def gradients_of_the_class(tf: Any, np: Any) -> Any:
    return _slopes(tf, lambda x: tf.keras.losses.Circle(gamma=2.0)(tf.constant(_LABELS), x))


def gradients_against_references(tf: Any, np: Any) -> Any:
    return _slopes(
        tf,
        lambda x: tf.keras.losses.circle(
            _LABELS,
            x,
            ref_labels=tf.constant([0, 1, 2]),
            ref_embeddings=tf.constant(_REFERENCE),
            remove_diagonal=False,
            gamma=3.0,
            margin=0.25,
        ),
    )


def weighted(tf: Any, np: Any) -> Any:
    loss = tf.keras.losses.Circle(gamma=2.0)
    return loss(tf.constant(_LABELS), tf.constant(_ROWS), sample_weight=[1.0, 2.0, 3.0, 4.0, 5.0])


TABLE = table(
    {
        f"reduced_by_{how}": lambda tf, np, how=how: tf.keras.losses.Circle(
            gamma=2.0, reduction=how
        )(tf.constant(_LABELS), tf.constant(_ROWS))
        for how in ("sum", "none", "mean", "mean_with_sample_weight")
    }
    | {
        "column_of_labels": lambda tf, np: tf.keras.losses.circle(
            tf.constant(_LABELS)[:, None], tf.constant(_ROWS), gamma=2
        ),
        "float_labels": lambda tf, np: tf.keras.losses.circle(
            tf.cast(_LABELS, tf.float32), tf.constant(_ROWS, tf.float64), gamma=2
        ),
        "diagonal_kept": lambda tf, np: tf.keras.losses.Circle(remove_diagonal=False)(
            tf.constant(_LABELS), tf.constant(_ROWS)
        ),
        "settings": lambda tf, np: tf.keras.losses.Circle(margin=0.5).get_config(),
        "by_name": lambda tf, np: type(tf.keras.losses.get("Circle")).__name__,
    }
)
