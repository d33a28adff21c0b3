"""Recipes of models, and of losses that stop a gradient on purpose (see `recipes.py`)."""

import random
from collections.abc import Callable

from explain.recipes import SMOOTH, Recipe, data, descent, numbers, squared, weights

_KERAS = ("tanh", "sigmoid", "gelu", "elu", "softplus", "swish")


def keras_model(r: random.Random) -> Recipe:
    act, width = r.choice(_KERAS), r.randint(2, 4)
    extra = r.choice(
        (
            "",
            "    tf.keras.layers.LayerNormalization(),\n",
            "    tf.keras.layers.Dropout(0.3, seed=3),\n",
        )
    )
    setup = (
        data(r, 6, 3)
        + "model = tf.keras.Sequential([\n"
        + f"    tf.keras.layers.Dense({width + 1}, activation='{act}'),\n{extra}    tf.keras.layers.Dense(1),\n])\n"
        + f"optimizer = tf.keras.optimizers.{r.choice(('Adam', 'SGD', 'RMSprop', 'Adagrad'))}(0.01)\n"
        + "model(x)\n"
    )
    return Recipe(
        setup,
        f"guess = model(x, training=False)\n{squared(r)}",
        "model.trainable_variables",
        after="optimizer.apply_gradients(zip(grads, model.trainable_variables))",
    )


def batch_normalised(r: random.Random) -> Recipe:
    setup = (
        data(r, 8, 3)
        + f"hidden = tf.keras.layers.Dense(4, use_bias=False, activation='{r.choice(_KERAS)}')\n"
        + "norm = tf.keras.layers.BatchNormalization()\nout = tf.keras.layers.Dense(1)\nout(norm(hidden(x)))\n"
        + "weights = hidden.trainable_variables + norm.trainable_variables + out.trainable_variables\n"
    )
    return Recipe(
        setup,
        f"guess = out(tf.tanh(norm(hidden(x), training=True)))\n{squared(r)}",
        "weights",
        after=descent("weights"),
    )


_SCALED = """\
class Scaled(tf.keras.layers.Layer):
    def __init__(self, units, rate=0.5):
        super().__init__()
        self.units, self.rate = units, rate
        self.calls = tf.Variable(0.0, trainable=False)

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], self.units), initializer="glorot_normal")

    def call(self, inputs):
        self.calls.assign_add(1.0)
        return SMOOTH(inputs @ self.w) * self.rate


layer = Scaled(1)
layer(x)
"""


def own_layer(r: random.Random) -> Recipe:
    setup = data(r, 5, 3) + _SCALED.replace("SMOOTH", r.choice(SMOOTH))
    weights = "layer.trainable_variables"
    return Recipe(setup, f"guess = layer(x)\n{squared(r)}", weights, after=descent(weights))


_LINE = """\
class Line:
    def __init__(self):
        self.w = tf.Variable([[0.4], [0.7]])
        self.b = tf.Variable(0.1)
        self.seen = 0

    def __call__(self, inputs, scale=1.0):
        self.seen += int(tf.shape(inputs)[0])
        return scale * SMOOTH(inputs @ self.w + self.b)


line = Line()
"""


def own_object(r: random.Random) -> Recipe:
    setup = data(r, 5, 2) + _LINE.replace("SMOOTH", r.choice(SMOOTH))
    body = f"guess = line(x, scale={r.uniform(0.5, 2):.1f})\n{squared(r)}"
    return Recipe(setup, body, "[line.w, line.b]", after=descent("[line.w, line.b]"))


def sequences(r: random.Random) -> Recipe:
    kind = r.choice(("SimpleRNN", "GRU", "LSTM"))
    setup = (
        f"rng = np.random.default_rng({r.randrange(1000)})\n"
        "x = tf.constant(rng.normal(size=(2, 3, 2)).astype('float32'))\n"
        f"y = tf.constant(rng.normal(size=(2, 2)).astype('float32'))\nlayer = tf.keras.layers.{kind}(2)\nlayer(x)\n"
    )
    return Recipe(setup, f"guess = layer(x)\n{squared(r)}", "layer.trainable_variables")


def convolved(r: random.Random) -> Recipe:
    setup = (
        f"rng = np.random.default_rng({r.randrange(1000)})\n"
        "image = tf.constant(rng.normal(size=(2, 5, 5, 1)).astype('float32'))\n"
        "kernel = tf.Variable(0.4 * rng.normal(size=(3, 3, 1, 2)).astype('float32'))\n"
    )
    pool = r.choice(("tf.nn.avg_pool2d(h, 2, 2, 'VALID')", "tf.reduce_mean(h, axis=[1, 2])"))
    body = (
        "h = tf.tanh(tf.nn.conv2d(image, kernel, strides=1, padding='SAME'))\n"
        f"loss = tf.reduce_sum(tf.square({pool} - 0.2))"
    )
    return Recipe(setup, body, "[kernel]")


def attention(r: random.Random) -> Recipe:
    setup = data(r, 4, 3, out=2) + "".join(weights(name, 3, 2) for name in ("q", "k", "v"))
    body = (
        "scores = tf.matmul(x @ q, x @ k, transpose_b=True) / math.sqrt(2.0)\n"
        f"guess = tf.nn.softmax(scores) @ (x @ v)\n{squared(r)}"
    )
    return Recipe(setup, body, "[q, k, v]")


def two_of_them(r: random.Random) -> Recipe:
    """A generator that learns through a discriminator whose gradient is not requested."""
    setup = (
        data(r, 5, 2)
        + weights("maker", 2, 2)
        + "d = tf.Variable([[0.6], [-0.8]])\nwatched = [maker]\n"
    )
    body = (
        "fake = tf.tanh(x @ maker)\nverdict = fake @ d\n"
        "loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(tf.ones_like(verdict), verdict))\n"
        "copy = tf.Variable(fake, trainable=False)"
    )
    return Recipe(setup, body, "watched", after=descent("watched"))


def drawn(r: random.Random) -> Recipe:
    setup = (
        f"mean, log_width = tf.Variable({numbers(r, 2)}), tf.Variable({numbers(r, 2, -1, 0.5)})\n"
        f"noise = tf.random.stateless_normal([4, 2], seed=[{r.randrange(99)}, 7])\n"
    )
    body = (
        "z = mean + tf.exp(log_width) * noise\n"
        "kl = -0.5 * tf.reduce_sum(1 + 2 * log_width - mean ** 2 - tf.exp(2 * log_width))\n"
        "loss = tf.reduce_mean(tf.square(z - 0.3)) + 0.1 * kl"
    )
    return Recipe(setup, body, "[mean, log_width]")


def learning_from_a_frozen_goal(r: random.Random) -> Recipe:
    """No gradient should flow through the target of a temporal difference."""
    setup = data(r, 6, 2) + "z = tf.roll(x, 1, axis=0)\n" + weights("w", 2, 1)
    stop = r.choice(("tf.stop_gradient(0.9 * (z @ w))", "0.9 * tf.stop_gradient(z @ w)"))
    body = f"goal = y + {stop}\nloss = tf.reduce_mean(tf.square(x @ w - goal))"
    return Recipe(setup, body, "[w]")


def taught_by_an_average(r: random.Random) -> Recipe:
    setup = (
        data(r, 6, 2)
        + weights("student", 2, 1)
        + "teacher = tf.Variable(student * 0.5, trainable=False)\n"
    )
    body = (
        "goal = tf.stop_gradient(tf.tanh(x @ teacher))\n"
        "loss = tf.reduce_mean(tf.square(tf.tanh(x @ student) - goal) + 0.1 * tf.square(x @ student - y))"
    )
    after = f"{descent('[student]')}\nteacher.assign(0.99 * teacher + 0.01 * student)"
    return Recipe(setup, body, "[student]", after=after)


def policy(r: random.Random) -> Recipe:
    setup = (
        data(r, 5, 3)
        + weights("w", 3, 2)
        + f"actions = tf.constant([{', '.join(str(r.randrange(2)) for _ in range(5))}])\n"
    )
    body = (
        "logp = tf.nn.log_softmax(x @ w)\nchosen = tf.reduce_sum(tf.one_hot(actions, 2) * logp, axis=1)\n"
        "advantage = tf.squeeze(y) - tf.reduce_mean(y)\nloss = -tf.reduce_mean(advantage * chosen)"
    )
    return Recipe(setup, body, "[w]")


def classified(r: random.Random) -> Recipe:
    k = r.randint(2, 4)
    labels = [r.randrange(k) for _ in range(6)]
    loss = r.choice(
        (
            "tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)",
            f"tf.nn.softmax_cross_entropy_with_logits(tf.one_hot(labels, {k}), logits)",
            "tf.keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True)",
        )
    )
    setup = data(r, 6, 3) + f"labels = tf.constant({labels})\n" + weights("w", 3, k)
    body = (
        f"logits = x @ w\nloss = tf.reduce_mean({loss})\n"
        "hits = tf.cast(tf.equal(tf.argmax(logits, axis=1), tf.cast(labels, tf.int64)), tf.float32)\n"
        "accuracy = tf.reduce_mean(hits).numpy()"
    )
    return Recipe(setup, body, "[w]")


def with_metrics(r: random.Random) -> Recipe:
    metric = r.choice(
        (
            "tf.keras.metrics.Mean()",
            "tf.keras.metrics.MeanSquaredError()",
            "tf.keras.metrics.MeanAbsoluteError()",
        )
    )
    setup = data(r, 6, 2) + weights("w", 2, 1) + f"metric = {metric}\nlog = []\n"
    seen = "metric.update_state(loss)" if metric.endswith("Mean()") else "metric(y, guess)"
    body = f"guess = x @ w\n{squared(r)}\n{seen}\nlog.append(loss.numpy())"
    return Recipe(setup, body, "[w]", after="shown = f'{metric.result().numpy():.3f} {log[-1]}'")


def penalty_on_a_slope(r: random.Random) -> Recipe:
    setup = data(r, 4, 2) + weights("w", 2, 1)
    body = (
        "with tf.GradientTape() as inner:\n    inner.watch(x)\n"
        "    critic = tf.reduce_sum(tf.tanh(x @ w))\n"
        "slope = inner.gradient(critic, x)\nnorm = tf.sqrt(tf.reduce_sum(slope ** 2, axis=1) + 1e-6)\n"
        "loss = tf.reduce_mean((norm - 1.0) ** 2) + critic"
    )
    return Recipe(setup, body, "[w]")


def learned_to_learn(r: random.Random) -> Recipe:
    """An inner step computes a new tensor from a weight, and the loss uses that tensor."""
    rate = r.choice(("0.1", "0.3"))
    setup = data(r, 4, 2) + weights("w", 2, 1)
    body = (
        "with tf.GradientTape() as inner:\n    first = tf.reduce_mean(tf.square(tf.tanh(x[:2] @ w) - y[:2]))\n"
        f"fast = w - {rate} * inner.gradient(first, w)\n"
        "loss = tf.reduce_mean(tf.square(tf.tanh(x[2:] @ fast) - y[2:]))"
    )
    return Recipe(setup, body, "[w]")


MODELS: tuple[Callable[[random.Random], Recipe], ...] = (
    keras_model, batch_normalised, own_layer, own_object, sequences, convolved, attention, two_of_them, drawn,
    learning_from_a_frozen_goal, taught_by_an_average, policy, classified, with_metrics, penalty_on_a_slope,
    learned_to_learn,
)  # fmt: skip
