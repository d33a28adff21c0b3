"""Healthy computations: each recipe generates one kind of computation, with random details from a seed.

    Recipe         the lines before the tape, the lines inside, the gradient call, and the lines afterwards
    COMPUTATIONS   the kinds in this module; `recipes_of_models.py` has models, and `writer.py` generates whole programs

They look suspicious on purpose: values outside the path are converted, states are assigned, gradients are stopped correctly.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

SMOOTH = ("tf.tanh", "tf.sigmoid", "tf.nn.softplus", "tf.nn.gelu", "tf.sin")


@dataclass(frozen=True)
class Recipe:
    """The parts of a program; `sources` and `target` are the arguments of the gradient call."""

    setup: str
    body: str
    sources: str
    target: str = "loss"
    after: str = ""
    api: str = "gradient"
    persistent: bool = False


def data(r: random.Random, rows: int, columns: int, *, out: int = 1) -> str:
    return (
        f"rng = np.random.default_rng({r.randrange(1000)})\n"
        f"x = tf.constant(rng.normal(size=({rows}, {columns})).astype('float32'))\n"
        f"y = tf.constant(rng.normal(size=({rows}, {out})).astype('float32'))\n"
    )


def weights(name: str, rows: int, columns: int) -> str:
    return f"{name} = tf.Variable(0.5 * rng.normal(size=({rows}, {columns})).astype('float32'))\n"


def numbers(r: random.Random, n: int, low: float = 0.3, high: float = 1.7) -> str:
    return "[" + ", ".join(f"{r.uniform(low, high):.2f}" for _ in range(n)) + "]"


def squared(r: random.Random, guess: str = "guess", truth: str = "y") -> str:
    return r.choice(
        (
            f"loss = tf.reduce_mean(tf.square({guess} - {truth}))",
            f"loss = tf.reduce_sum(({guess} - {truth}) ** 2)",
            f"loss = tf.reduce_mean(tf.math.log(tf.cosh({guess} - {truth})))",
            f"loss = tf.reduce_mean(tf.sqrt(tf.square({guess} - {truth}) + 1.0))",
            f"loss = tf.keras.losses.MeanSquaredError()({truth}, {guess})",
            f"loss = tf.nn.l2_loss({guess} - {truth})",
        )
    )


def descent(names: str, rate: str = "0.05") -> str:
    return f"for v, g in zip({names}, grads):\n    v.assign_sub({rate} * g)"


def line_fit(r: random.Random) -> Recipe:
    n = r.randint(1, 5)
    setup = data(r, r.randint(4, 9), n) + weights("w", n, 1) + f"b = tf.Variable({numbers(r, 1)})\n"
    return Recipe(
        setup,
        f"guess = tf.matmul(x, w) + b\n{squared(r)}",
        "[w, b]",
        after=descent("[w, b]"),
    )


def deep_by_hand(r: random.Random) -> Recipe:
    sizes = [r.randint(2, 4) for _ in range(r.randint(2, 4))] + [1]
    setup = data(r, 6, sizes[0]) + "layers = []\n"
    for i, (a, b) in enumerate(pairwise(sizes)):
        setup += weights(f"w{i}", a, b) + f"b{i} = tf.Variable(tf.zeros([{b}]) + 0.1)\n"
        setup += f"layers.append((w{i}, b{i}))\n"
    body = (
        f"h = x\nfor w, b in layers[:-1]:\n    h = {r.choice(SMOOTH)}(h @ w + b)\n"
        f"w, b = layers[-1]\nguess = h @ w + b\n{squared(r)}"
    )
    return Recipe(setup, body, "[v for pair in layers for v in pair]")


def of_constants(r: random.Random) -> Recipe:
    act = r.choice(SMOOTH)
    setup = f"x = tf.constant({numbers(r, r.randint(2, 5))})\n"
    return Recipe(
        setup,
        f"tape.watch(x)\nh = {act}(x * {r.uniform(0.5, 2):.2f})\nloss = tf.reduce_sum(h * x)",
        "x",
    )


def dict_of_variables(r: random.Random) -> Recipe:
    setup = (
        data(r, 5, 2)
        + "params = {'w': tf.Variable(rng.normal(size=(2, 1)).astype('float32')),\n"
        + f"          'b': tf.Variable({r.uniform(-1, 1):.2f})}}\n"
    )
    body = f"guess = {r.choice(SMOOTH)}(x @ params['w']) + params['b']\n{squared(r)}"
    after = "for name in params:\n    params[name].assign_sub(0.1 * grads[name])"
    return Recipe(setup, body, "params", after=after)


def regularised(r: random.Random) -> Recipe:
    rate = r.choice(("1e-2", "0.1", "0.5"))
    penalty = r.choice(
        ("tf.nn.l2_loss(w)", "tf.reduce_sum(w ** 2)", "tf.add_n([tf.nn.l2_loss(v) for v in [w]])")
    )
    setup = data(r, 6, 3) + weights("w", 3, 1)
    return Recipe(setup, f"guess = x @ w\n{squared(r)}\nloss = loss + {rate} * {penalty}", "[w]")


def sliced(r: random.Random) -> Recipe:
    n = r.randint(4, 7)
    k = r.randint(1, n - 2)
    setup = f"x = tf.Variable({numbers(r, n)})\nscale = tf.constant(2.0)\n"
    pick = r.choice(
        (
            f"tf.reduce_sum(x[:{k}] ** 2) + scale * x[{k}]",
            f"tf.reduce_sum(x[::2] * x[::2]) + tf.reduce_sum(x[{k}:])",
            f"tf.reduce_sum(tf.gather(x, [0, {k}, {k}]) ** 2)",
            "tf.reduce_sum(tf.stack([v * v for v in tf.unstack(x)]))",
            "tf.reduce_sum(tf.concat([x[1:], x[:1]], axis=0) * x)",
            "tf.reduce_sum(tf.reverse(x, axis=[0]) * tf.cumsum(x))",
            f"tf.reduce_sum(tf.tensor_scatter_nd_update(x, [[{k}]], [3.0]) ** 2)",
        )
    )
    return Recipe(setup, f"loss = {pick}", "x")


def embedded(r: random.Random) -> Recipe:
    words, width = r.randint(4, 9), r.randint(2, 3)
    ids = [r.randrange(words) for _ in range(4)]
    look = r.choice((f"tf.gather(table, {ids})", f"tf.nn.embedding_lookup(table, {ids})"))
    setup = (
        data(r, 4, width)
        + f"table = tf.Variable(rng.normal(size=({words}, {width})).astype('float32'))\n"
    )
    setup += weights("out", width, 1)
    return Recipe(setup, f"rows = {look}\nguess = (rows + x) @ out\n{squared(r)}", "[table, out]")


def chosen_by_argmax(r: random.Random) -> Recipe:
    """An index is an integer, but the value at that index is differentiable."""
    setup = f"scores = tf.Variable({numbers(r, 4)})\nbest_so_far = 0.0\n"
    pick = r.choice(("int(tf.argmax(scores))", "tf.argmax(scores)"))
    body = (
        f"i = {pick}\nbest_so_far = max(best_so_far, float(scores[i]))\n"
        f"loss = scores[i] ** 2 + {r.uniform(0.1, 1):.2f} * tf.reduce_sum(scores)"
    )
    return Recipe(setup, body, "scores")


def by_where(r: random.Random) -> Recipe:
    setup = f"x = tf.Variable({numbers(r, 5, -2, 2)})\n"
    body = r.choice(
        (
            "loss = tf.reduce_sum(tf.where(x > 0.0, x * x, tf.exp(x)))",
            "safe = tf.where(x > 0.1, x, 1.0)\nloss = tf.reduce_sum(tf.where(x > 0.1, tf.math.log(safe), x))",
            "mask = tf.cast(x > 0.0, tf.float32)\nloss = tf.reduce_sum(mask * x + (1.0 - mask) * 0.2 * x)",
        )
    )
    return Recipe(setup, body, "x")


def clipped_gradients(r: random.Random) -> Recipe:
    setup = (
        data(r, 6, 3)
        + weights("w", 3, 1)
        + "optimizer = tf.keras.optimizers.SGD(0.05, momentum=0.9)\n"
    )
    clip = r.choice(
        (
            "grads, norm = tf.clip_by_global_norm(grads, 1.0)",
            "grads = [tf.clip_by_norm(g, 1.0) for g in grads]",
            "grads = [tf.clip_by_value(g, -1.0, 1.0) for g in grads]",
        )
    )
    after = f"{clip}\noptimizer.apply_gradients(zip(grads, [w]))"
    return Recipe(setup, f"guess = tf.tanh(x @ w)\n{squared(r)}", "[w]", after=after)


def with_counters(r: random.Random) -> Recipe:
    """States outside the path: a counter, and a running mean of the loss."""
    setup = (
        data(r, 6, 2)
        + weights("w", 2, 1)
        + "steps = tf.Variable(0, dtype=tf.int64)\nmean = tf.Variable(0.0, trainable=False)\n"
    )
    body = f"guess = x @ w\n{squared(r)}\nsteps.assign_add(1)\nmean.assign(0.9 * mean + 0.1 * loss)"
    after = f"{descent('[w]')}\nkept = [float(mean), int(steps)]"
    return Recipe(setup, body, "[w]", after=after)


def normalised_by_data(r: random.Random) -> Recipe:
    """Here, only data is converted to NumPy, and it does not depend on a weight."""
    setup = data(r, 8, 3) + weights("w", 3, 1)
    body = (
        "mean, width = x.numpy().mean(axis=0), np.std(x.numpy(), axis=0)\n"
        f"guess = ((x - mean) / width) @ w\n{squared(r)}"
    )
    return Recipe(setup, body, "[w]")


def recurrent(r: random.Random) -> Recipe:
    n = r.randint(2, 5)
    setup = (
        f"u, w = tf.Variable({r.uniform(0.3, 0.9):.2f}), tf.Variable({r.uniform(0.3, 0.9):.2f})\n"
        f"series = {numbers(r, n)}\n"
    )
    loop = r.choice(
        (
            "for value in series:\n    state = tf.tanh(u * state + w * value)",
            "for t in tf.range(len(series)):\n    state = tf.tanh(u * state + w * tf.constant(series)[t])",
            "i = 0\nwhile i < len(series):\n    state = tf.sin(u * state + w * series[i])\n    i += 1",
        )
    )
    start = r.choice(("state = tf.constant(0.1)", "state = 0.1"))
    return Recipe(setup, f"{start}\n{loop}\nloss = state ** 2", "[u, w]")


def until_small(r: random.Random) -> Recipe:
    """A loop controlled by a Python number; the value itself stays differentiable."""
    setup = f"x = tf.Variable({r.uniform(3, 9):.2f})\n"
    body = "h = x\nwhile float(h) > 1.5:\n    h = h * 0.5\nloss = tf.square(h)"
    return Recipe(setup, body, "x")


def stepped_over(r: random.Random) -> Recipe:
    setup = f"speed = tf.Variable({r.uniform(1, 3):.2f})\ndt = 0.1\n"
    n = r.randint(3, 8)
    body = (
        "height, v, track = 1.0, speed, []\n"
        f"for _ in range({n}):\n    v = v - 9.8 * dt\n    height = height + v * dt\n    track.append(height)\n"
        "loss = tf.reduce_sum(tf.square(tf.stack(track)))\nhighest = max(float(each) for each in track)"
    )
    return Recipe(setup, body, "speed")


def second_order(r: random.Random) -> Recipe:
    act = r.choice(("tf.sin(x)", "x ** 3", "tf.exp(0.5 * x)", "tf.tanh(x) * x"))
    setup = f"x = tf.Variable({numbers(r, r.randint(1, 3))})\n"
    body = (
        f"with tf.GradientTape() as inner:\n    f = tf.reduce_sum({act})\n"
        "slope = inner.gradient(f, x)\nloss = tf.reduce_sum(slope ** 2)"
    )
    return Recipe(setup, body, "x")


def asked_twice(r: random.Random) -> Recipe:
    setup = f"x = tf.Variable({numbers(r, 3)})\n"
    body = f"other = tf.reduce_sum(x * x)\nloss = tf.reduce_sum({r.choice(SMOOTH)}(x)) + other"
    return Recipe(setup, body, "x", after="more = tape.gradient(other, x)", persistent=True)


def jacobian(r: random.Random) -> Recipe:
    setup = f"x = tf.Variable({numbers(r, 3)})\nm = tf.constant([[1., 2., 3.], [3., 1., .5]])\n"
    body = f"loss = {r.choice(SMOOTH)}(tf.linalg.matvec(m, x)) + tf.reduce_sum(x)"
    return Recipe(setup, body, "x", api="jacobian")


def own_rule(r: random.Random) -> Recipe:
    setup = (
        "@tf.custom_gradient\ndef log1pexp(x):\n    e = tf.exp(x)\n"
        "    def grad(upstream):\n        return upstream * (1 - 1 / (1 + e))\n"
        f"    return tf.math.log(1 + e), grad\n\nx = tf.Variable({numbers(r, 3)})\n"
    )
    return Recipe(setup, "loss = tf.reduce_sum(log1pexp(x) * x)", "x")


def paused(r: random.Random) -> Recipe:
    setup = f"x = tf.Variable({numbers(r, 3)})\nseen = []\n"
    body = (
        f"h = {r.choice(SMOOTH)}(x)\nwith tape.stop_recording():\n    seen.append(float(tf.norm(h)))\n"
        "loss = tf.reduce_sum(h * x)"
    )
    return Recipe(setup, body, "x")


def in_float64(r: random.Random) -> Recipe:
    setup = (
        f"a = tf.Variable({numbers(r, 3)}, dtype=tf.float64)\nn = tf.constant({r.randint(2, 4)})\n"
    )
    body = "h = a ** tf.cast(n, tf.float64)\nloss = tf.cast(tf.reduce_sum(h), tf.float32) * 0.5"
    return Recipe(setup, body, "a")


def unrolled_matrix(r: random.Random) -> Recipe:
    setup = f"a = tf.Variable([[2.0, {r.uniform(0, 0.5):.2f}], [0.3, 1.5]])\nb = tf.constant([[1.0], [2.0]])\n"
    solve = r.choice(
        (
            "tf.linalg.solve(a, b)",
            "tf.linalg.inv(a) @ b",
            "tf.linalg.det(a) * a @ b",
            "tf.einsum('ij,jk->ik', a, b)",
        )
    )
    return Recipe(setup, f"loss = tf.reduce_sum(tf.square({solve}))", "a")


def accumulated(r: random.Random) -> Recipe:
    setup = data(r, 6, 2) + weights("w", 2, 1) + "sums = [tf.Variable(tf.zeros_like(w))]\n"
    after = (
        "for held, g in zip(sums, grads):\n    held.assign_add(g / 2.0)\n"
        "w.assign_sub(0.1 * sums[0])\nsums[0].assign(tf.zeros_like(w))"
    )
    return Recipe(setup, f"guess = tf.tanh(x @ w)\n{squared(r)}", "[w]", after=after)


def from_a_dataset(r: random.Random) -> Recipe:
    setup = (
        data(r, 6, 2)
        + weights("w", 2, 1)
        + "batches = tf.data.Dataset.from_tensor_slices((x, y)).batch(3)\n"
    )
    body = (
        "loss, rows = 0.0, 0\nfor features, truth in batches:\n"
        "    loss = loss + tf.reduce_sum(tf.square(tf.tanh(features @ w) - truth))\n    rows += features.shape[0]\n"
        "loss = loss / tf.cast(tf.size(y), tf.float32) + 0.0 * rows"
    )
    return Recipe(setup, body, "[w]", after=descent("[w]"))


def scheduled(r: random.Random) -> Recipe:
    """Numbers from states and shapes, which here are data."""
    setup = (
        data(r, 6, 2)
        + weights("w", 2, 1)
        + "step_count = tf.Variable(1, trainable=False, dtype=tf.int32)\n"
    )
    body = (
        "weight = 1.0 / float(step_count)\nn = int(tf.shape(x)[0])\n"
        "loss = weight * tf.reduce_sum(tf.square(x @ w - y)) / n + tf.cast(step_count, tf.float32) * tf.nn.l2_loss(w)"
    )
    return Recipe(setup, body, "[w]", after=f"{descent('[w]')}\nstep_count.assign_add(1)")


def kept_scale(r: random.Random) -> Recipe:
    """A scale that is intended to be constant, through which no gradient should flow."""
    setup = f"x = tf.Variable({numbers(r, 4)})\n"
    body = (
        "peak = tf.stop_gradient(tf.reduce_max(x))\n"
        "loss = tf.math.log(tf.reduce_sum(tf.exp(x - peak))) + peak + tf.reduce_sum(x * x)"
    )
    return Recipe(setup, body, "x")


COMPUTATIONS: tuple[Callable[[random.Random], Recipe], ...] = (
    line_fit, deep_by_hand, of_constants, dict_of_variables, regularised, sliced, embedded, chosen_by_argmax, by_where,
    clipped_gradients, with_counters, normalised_by_data, recurrent, until_small, stepped_over, second_order, asked_twice,
    jacobian, own_rule, paused, in_float64, unrolled_matrix, accumulated, from_a_dataset, scheduled, kept_scale,
)  # fmt: skip
