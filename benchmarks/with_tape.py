"""The workloads in TensorFlow's API: the same code runs on TensorFlow and on minitape."""

import importlib
from collections.abc import Callable
from typing import Any

from workloads import CHAIN, LOOPS, RATE

Run = Callable[[], list[Any]]
tf: Any = None  # the framework under test


def load(name: str) -> str:
    global tf
    tf = importlib.import_module(name)
    if name == "tensorflow":
        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)
    return str(tf.__version__)


def _gradients(f: Callable[..., Any], *arrays: Any) -> Run:
    sources = [tf.constant(array) for array in arrays]

    def run() -> list[Any]:
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = f(*sources)
        return list(tape.gradient(y, sources))

    return run


def _sines(given: Any) -> Callable[..., Any]:
    def f(x: Any, w: Any, b: Any) -> Any:
        for _ in range(given.size // 4):
            x = tf.sin(x * w + b) + x
        return x

    return f


def scalars_untaped(given: Any) -> Run:
    f, x, w, b = _sines(given), *map(tf.constant, (given.x, given.w, given.b))
    return lambda: [f(x, w, b)]


def scalars(given: Any) -> Run:
    return _gradients(_sines(given), given.x, given.w, given.b)


def vectors(given: Any) -> Run:
    def f(x: Any, w: Any, b: Any) -> Any:
        for _ in range(LOOPS):
            x = x + tf.tanh(x * w + b) * 0.1
        return tf.reduce_mean(x)

    return _gradients(f, given.x, given.w, given.b)


def network(given: Any) -> Run:
    x, labels = tf.constant(given.x), tf.constant(given.labels)
    weights = w1, b1, w2, b2 = [tf.Variable(weight) for weight in given.weights]

    def run() -> list[Any]:
        with tf.GradientTape() as tape:
            logits = tf.nn.relu(x @ w1 + b1) @ w2 + b2
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            loss = tf.reduce_mean(losses)
        for weight, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(RATE * gradient)
        return [loss]

    return run


def embedding(given: Any) -> Run:
    table, rows = tf.Variable(given.table), tf.constant(given.rows)

    def run() -> list[Any]:
        with tf.GradientTape() as tape:
            found = tf.nn.embedding_lookup(table, rows)
            loss = tf.reduce_sum(found * found)
        slices = tape.gradient(loss, table)
        table.scatter_sub(tf.IndexedSlices(RATE * slices.values, slices.indices))
        return [loss]

    return run


def deep(given: Any) -> Run:
    x, layers = tf.constant(given.x), [tf.Variable(w) for w in given.layers]

    def run() -> list[Any]:
        with tf.GradientTape() as tape:
            y = x
            for w in layers:
                y = tf.tanh(y @ w)
            loss = tf.reduce_mean(tf.square(y))
        return list(tape.gradient(loss, layers))

    return run


def recurrent(given: Any) -> Run:
    steps, first = [tf.constant(x) for x in given.steps], tf.constant(given.h)
    weights = of_x, of_h, b = [tf.Variable(weight) for weight in given.weights]

    def run() -> list[Any]:
        with tf.GradientTape() as tape:
            h = first
            for x in steps:
                h = tf.tanh(x @ of_x + h @ of_h + b)
            loss = tf.reduce_mean(tf.square(h))
        return list(tape.gradient(loss, weights))

    return run


def rows(given: Any) -> Run:
    table, places = tf.Variable(given.table), tf.constant(given.rows)

    def run() -> list[Any]:
        with tf.GradientTape() as tape:
            found = tf.nn.embedding_lookup(table, places)
            loss = tf.reduce_sum(found * found)
        return [tape.gradient(loss, table).values]

    return run


def _pictures(given: Any, *, pooled: bool) -> Run:
    x, filters = tf.constant(given.x), [tf.Variable(f) for f in given.filters]

    def run() -> list[Any]:
        with tf.GradientTape() as tape:
            y = x
            for f in filters:
                y = tf.nn.relu(tf.nn.conv2d(y, f, 1, "SAME"))
                if pooled:
                    y = tf.nn.max_pool2d(y, 2, 2, "VALID")
            loss = tf.reduce_mean(tf.square(y))
        return list(tape.gradient(loss, filters))

    return run


def pictures(given: Any) -> Run:
    return _pictures(given, pooled=False)


def pooled_pictures(given: Any) -> Run:
    return _pictures(given, pooled=True)


def factors(given: Any) -> Run:
    x, w = tf.constant(given.x), tf.constant(given.w)

    def run() -> list[Any]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            s, u, v = tf.linalg.svd(x)
            loss = tf.reduce_sum(w * tf.matmul(u * tf.sqrt(s), v, transpose_b=True))
        return [tape.gradient(loss, x)]

    return run


def penalty(given: Any) -> Run:
    x, weights = tf.constant(given.x), [tf.constant(weight) for weight in given.weights]

    def run() -> list[Any]:
        with tf.GradientTape() as outer:
            outer.watch(weights)
            with tf.GradientTape() as inner:
                inner.watch(x)
                h = tf.tanh(tf.tanh(x @ weights[0]) @ weights[1])
                y = tf.reduce_sum(h @ weights[2])
            loss = tf.reduce_sum(tf.square(inner.gradient(y, x)))
        return list(outer.gradient(loss, weights))

    return run


def jacobian(given: Any) -> Run:
    x, layers = tf.constant(given.x), [tf.constant(w) for w in given.layers]

    def run() -> list[Any]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for w in layers:
                y = tf.tanh(y @ w)
        return [tape.jacobian(y, x)[0, :, 0]]

    return run


def hessian_vector(given: Any) -> Run:
    x, labels, w, v = map(tf.constant, (given.x, given.labels, given.w, given.v))

    def run() -> list[Any]:
        with tf.GradientTape() as outer:
            outer.watch(w)
            with tf.GradientTape() as inner:
                inner.watch(w)
                losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=x @ w)
                loss = tf.reduce_mean(losses)
            gradient = inner.gradient(loss, w)
        return [outer.gradient(gradient, w, output_gradients=v)]

    return run


def long_tape(given: Any) -> Run:
    def f(x: Any, w: Any, b: Any) -> Any:
        for _ in range(given.size // 2):
            x = x * w + b
        return x

    return _gradients(f, given.x, given.w, given.b)


def _chain(step: Callable[[Any, Any], Any], steps: int, given: Any) -> Run:
    def f(x: Any) -> Any:
        y = x
        for _ in range(steps):
            y = step(y, offset)
        return tf.reduce_sum(y)

    offset = tf.constant(given.x)
    return _gradients(f, given.x)


def linear_chain(given: Any) -> Run:
    return _chain(lambda y, offset: -(y + offset), CHAIN // 2, given)


def relu_chain(given: Any) -> Run:
    return _chain(lambda y, _: tf.nn.relu(y), CHAIN, given)


def tanh_chain(given: Any) -> Run:
    return _chain(lambda y, _: tf.tanh(y), CHAIN, given)
