"""Random numbers of other kinds: their shapes, dtypes, and which of them have a gradient; not the numbers."""

from typing import Any

from programs.case import Case, table
from programs.slopes import or_refused

DRAWS = {
    "gamma": lambda tf, a: tf.random.gamma([3], a),
    "gamma_of_a_rate": lambda tf, a: tf.random.gamma([3], [1.0, 2.0], beta=a),
    "gamma_of_two_shapes": lambda tf, a: tf.random.gamma([3], [[1.0], [2.0]], beta=a),
    "gamma_of_no_shape": lambda tf, a: tf.random.gamma([], a, seed=3),
    "poisson": lambda tf, a: tf.random.poisson([3], a),
    "poisson_of_ints": lambda tf, a: tf.random.poisson([3], a, dtype=tf.int32),
    "stateless_gamma": lambda tf, a: tf.random.stateless_gamma([3, 2], [1, 2], a),
    "stateless_gamma_of_a_rate": lambda tf, a: tf.random.stateless_gamma([2], [1, 2], 1.5, beta=a),
    "stateless_poisson": lambda tf, a: tf.random.stateless_poisson([3, 2], [1, 2], a),
    "stateless_categorical": lambda tf, a: tf.random.stateless_categorical(a[None], 5, [1, 2]),
}


def _drawn(draw: Any) -> Any:
    def program(tf: Any, np: Any) -> Any:
        a = tf.constant([1.5, 2.5])
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = draw(tf, a)
        if y.dtype.is_integer:  # whole numbers have no slope, and minitape warns who asks for it
            return [y.shape, y.dtype]
        slope = or_refused(lambda: tape.gradient(y, a))
        kept = slope if slope is None or isinstance(slope, str) else [slope.shape, slope.dtype]
        return [y.shape, y.dtype, kept]

    return program


def stateless_draws_come_again(tf: Any, np: Any) -> Any:
    first, again = (tf.random.stateless_gamma([50], [1, 2], 2.0) for _ in range(2))
    counts = tf.random.stateless_poisson([50], [1, 2], 4.0)
    whole = tf.reduce_all(tf.cast(counts, tf.float32) == tf.math.floor(tf.cast(counts, tf.float32)))
    return [tf.reduce_all(first == again), tf.reduce_all(first > 0), whole]


TABLE: tuple[Case, ...] = table({name: _drawn(draw) for name, draw in DRAWS.items()})
