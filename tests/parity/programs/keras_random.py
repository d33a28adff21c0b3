"""`tf.keras.random`, and what a seed does in layers and initializers: not the numbers, but what holds for them."""

from typing import Any

from programs.case import table


def _seen(value: Any) -> Any:
    return [value.dtype.name, list(value.shape)]


def a_generator_counts(tf: Any, np: Any) -> Any:
    seeds = tf.keras.random.SeedGenerator(7)
    return [seeds.next(), seeds.next(), seeds.state.numpy(), seeds.state.trainable]


def a_generator_jumps(tf: Any, np: Any) -> Any:
    seeds = tf.keras.random.SeedGenerator(7)
    return [seeds.next(ordered=False), seeds.next()]


def a_generator_made_again(tf: Any, np: Any) -> Any:
    seeds = tf.keras.random.SeedGenerator(5, name="mine")
    seeds.next()
    again = type(seeds).from_config(seeds.get_config())
    return [seeds.get_config(), again.next()]


def which_draws_are_the_same(tf: Any, np: Any) -> Any:
    """A number as a seed gives the same each time; a generator gives others each time, and the same row again."""
    draw = tf.keras.random
    answers = []
    for function in (
        lambda seed: draw.normal((50,), seed=seed),
        lambda seed: draw.truncated_normal((50,), seed=seed),
        lambda seed: draw.uniform((50,), seed=seed),
        lambda seed: draw.randint((50,), 0, 1000, seed=seed),
        lambda seed: draw.categorical(tf.zeros((2, 9)), 50, seed=seed),
        lambda seed: draw.dropout(tf.ones((50,)), 0.5, seed=seed),
        lambda seed: draw.shuffle(tf.range(50), seed=seed),
    ):
        same = bool(np.all(function(3).numpy() == function(3).numpy()))
        nobodys = bool(np.all(function(None).numpy() == function(None).numpy()))
        rows = [draw.SeedGenerator(3), draw.SeedGenerator(3)]
        first = [function(rows[0]).numpy() for _ in range(3)]
        second = [function(rows[1]).numpy() for _ in range(3)]
        repeats = all(bool(np.all(a == b)) for a, b in zip(first, second, strict=True))
        moves = bool(np.all(first[0] == first[1]))
        answers.append([same, nobodys, repeats, moves, rows[0].state.numpy()])
    return answers


def what_is_drawn(tf: Any, np: Any) -> Any:
    draw = tf.keras.random
    kinds = {
        "normal": draw.normal((2, 3)),
        "normal in float64": draw.normal((2,), dtype="float64"),
        "truncated": draw.truncated_normal((4,), dtype="float16"),
        "uniform": draw.uniform((3,), 2, 5),
        "randint": draw.randint((3,), 0, 5),
        "randint in int64": draw.randint((3,), 0, 5, dtype="int64"),
        "randint in uint8": draw.randint((3,), 0, 5, dtype="uint8"),
        "categorical": draw.categorical([[0.0, 1.0]], 4),
        "categorical in float32": draw.categorical([[0.0, 1.0]], 4, dtype="float32"),
        "dropout of float64": draw.dropout(np.ones(4), 0.5),
        "shuffle of a list": draw.shuffle([1, 2, 3]),
        "nothing": draw.normal((0, 3)),
    }
    return {name: _seen(value) for name, value in kinds.items()}


def where_numbers_lie(tf: Any, np: Any) -> Any:
    draw = tf.keras.random
    normal = draw.normal((4000,), 3.0, 0.5, seed=1).numpy()
    cut = draw.truncated_normal((4000,), seed=1).numpy()
    even = draw.uniform((4000,), 2.0, 4.0, seed=1).numpy()
    whole = draw.randint((4000,), 2, 5, seed=1).numpy()
    picks = draw.categorical(tf.math.log([[0.25, 0.75]]), 4000, seed=1).numpy()
    kept = draw.dropout(tf.ones((4000,)), 0.25, seed=1).numpy()
    return [
        [round(float(normal.mean()), 1), round(float(normal.std()), 1)],
        bool(abs(cut).max() <= 2),
        [float(even.min()) >= 2, float(even.max()) < 4, round(float(even.mean()), 1)],
        sorted(set(whole.tolist())),
        round(float(picks.mean()), 1),
        [round(float((kept == 0).mean()), 1), sorted(set(np.round(kept, 5).tolist()))],
    ]


def dropout_by_rows(tf: Any, np: Any) -> Any:
    rows = tf.keras.random.dropout(tf.ones((40, 3)), 0.5, noise_shape=(None, 1)).numpy()
    return bool(np.all(rows == rows[:, :1]))


def dropout_of_all_and_of_none(tf: Any, np: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = [tf.keras.random.dropout(x, 1.0), tf.keras.random.dropout(x, 0.0)]
    return [*y, tape.gradient(y[0], x)]


def gradient_of_what_was_kept(tf: Any, np: Any) -> Any:
    x = tf.fill([20], 3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.keras.random.dropout(x, 0.5, seed=2)
    slope = tape.gradient(y, x).numpy()
    return bool(np.all(slope == y.numpy() / 3.0))


def gradient_of_a_shuffle(tf: Any, np: Any) -> Any:
    """Twice, and forwards: each element's weight comes back to it."""
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    answers = []
    for axis in (0, 1):
        order = tf.keras.random.shuffle(x, axis=axis, seed=4)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                moved = tf.keras.random.shuffle(x, axis=axis, seed=4)
                y = tf.reduce_sum(moved**3 * tf.stop_gradient(order))
            slope = tape.gradient(y, x)
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as forward:
            moved = tf.keras.random.shuffle(x, axis=axis, seed=4)
        answers += [slope, outer.gradient(slope, x), forward.jvp(moved)]
    return answers


def gradient_of_picks(tf: Any, np: Any) -> Any:
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.keras.random.categorical(x, 3, dtype="float32")
    return tape.gradient(y, x)


def gradients_of_mean_and_width(tf: Any, np: Any) -> Any:
    """What is drawn is noise · width + mean: a variational autoencoder learns by that."""
    mean, width = tf.Variable(2.0), tf.Variable([0.5, 3.0])
    stateless = {"seed": (1, 2)}
    makers = {
        "random.normal": lambda: tf.random.normal((2,), mean, width),
        "random.truncated_normal": lambda: tf.random.truncated_normal((2,), mean, width),
        "stateless_normal": lambda: tf.random.stateless_normal((2,), (1, 2), mean, width),
        "stateless_truncated": lambda: tf.random.stateless_truncated_normal(
            (2,), mean=mean, stddev=width, **stateless
        ),
        "Generator.normal": lambda: tf.random.Generator.from_seed(1).normal((2,), mean, width),
        "Generator.truncated": lambda: tf.random.Generator.from_seed(1).truncated_normal(
            (2,), mean, width
        ),
        "keras": lambda: tf.keras.random.normal((2,), mean, width),
        "keras_truncated": lambda: tf.keras.random.truncated_normal((2,), mean, width, seed=3),
    }
    answers = {}
    for name, make in makers.items():
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                y = make()
            slopes = tape.gradient(y, [mean, width])
        noise = (y.numpy() - 2.0) / width.numpy()
        is_noise = bool(np.allclose(slopes[1].numpy(), noise, atol=1e-4))
        with tf.autodiff.ForwardAccumulator([mean, width], [tf.constant(1.0), tf.zeros(2)]) as jvp:
            again = make()
        answers[name] = [slopes[0], is_noise, outer.gradient(slopes[0], mean), jvp.jvp(again)]
    return answers


def gradients_of_limits(tf: Any, np: Any) -> Any:
    low, high = tf.Variable(2.0), tf.Variable([3.0, 5.0])
    makers = {
        "random": lambda: tf.random.uniform((2,), low, high),
        "stateless": lambda: tf.random.stateless_uniform((2,), (1, 2), low, high),
        "Generator": lambda: tf.random.Generator.from_seed(1).uniform((2,), low, high),
        "keras": lambda: tf.keras.random.uniform((2,), low, high),
    }
    answers = {}
    for name, make in makers.items():
        with tf.GradientTape() as tape:
            y = make()
        below, above = tape.gradient(y, [low, high])
        share = (y.numpy() - 2.0) / (high.numpy() - 2.0)
        is_share = bool(np.allclose(above.numpy(), share, atol=1e-5))
        sums = bool(np.allclose(below.numpy(), 2.0 - share.sum(), atol=1e-5))
        answers[name] = [is_share, sums]
    return answers


def gradient_of_a_rate(tf: Any, np: Any) -> Any:
    rate = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        y = tf.nn.dropout(tf.ones(100), rate, seed=1)
    kept = int((y.numpy() > 0).sum())
    return bool(np.isclose(tape.gradient(y, rate).numpy(), 4.0 * kept))


def a_seeded_layer_drops_others_each_time(tf: Any, np: Any) -> Any:
    """And two of one seed drop the same, call by call."""
    layers = tf.keras.layers
    x = tf.reshape(tf.range(1.0, 97.0), (4, 8, 3))
    makers = {
        "Dropout": lambda: layers.Dropout(0.5, seed=3),
        "SpatialDropout1D": lambda: layers.SpatialDropout1D(0.5, seed=3),
        "GaussianNoise": lambda: layers.GaussianNoise(0.5, seed=3),
        "GaussianDropout": lambda: layers.GaussianDropout(0.5, seed=3),
        "AlphaDropout": lambda: layers.AlphaDropout(0.5, seed=3),
    }
    answers = {}
    for name, make in makers.items():
        one, two = make(), make()
        first = [one(x, training=True).numpy() for _ in range(3)]
        second = [two(x, training=True).numpy() for _ in range(3)]
        agree = all(bool(np.all(a == b)) for a, b in zip(first, second, strict=True))
        answers[name] = [agree, bool(np.all(first[0] == first[1]))]
    return answers


def a_generator_in_an_initializer(tf: Any, np: Any) -> Any:
    make = tf.keras.initializers
    answers = []
    for kind in (make.RandomNormal, make.RandomUniform, make.TruncatedNormal, make.GlorotUniform):
        seeds = tf.keras.random.SeedGenerator(3)
        initializer = kind(seed=seeds)
        a, b = initializer((4, 4)).numpy(), initializer((4, 4)).numpy()
        fixed = kind(seed=3)
        c, d = fixed((4, 4)).numpy(), fixed((4, 4)).numpy()
        answers.append([bool(np.all(a == b)), bool(np.all(c == d)), bool(np.all(a == c))])
        answers.append(seeds.state.numpy())
    return answers


_BAD = {
    "seed_of_text": lambda tf, np: tf.keras.random.normal((2,), seed="a"),
    "seed_of_a_float": lambda tf, np: tf.keras.random.uniform((2,), seed=1.5),
    "generator_of_text": lambda tf, np: tf.keras.random.SeedGenerator("a"),
    "generator_of_a_float": lambda tf, np: tf.keras.random.SeedGenerator(1.5),
    "generator_with_a_typo": lambda tf, np: tf.keras.random.SeedGenerator(seeds=1),
    "layer_of_a_generator": lambda tf, np: tf.keras.layers.Dropout(
        0.5, seed=tf.keras.random.SeedGenerator(1)
    ),
    "layer_of_a_float": lambda tf, np: tf.keras.layers.GaussianNoise(0.5, seed=1.5),
    "cell_of_a_float": lambda tf, np: tf.keras.layers.GRUCell(2, seed=1.5),
    "attention_of_a_float": lambda tf, np: tf.keras.layers.Attention(seed=1.5, dropout=0.5),
    "flip_of_a_float": lambda tf, np: tf.keras.layers.RandomFlip(seed=1.5),
    "initializer_of_text": lambda tf, np: tf.keras.initializers.RandomNormal(seed="a"),
    "initializer_of_a_float": lambda tf, np: tf.keras.initializers.HeNormal(seed=1.5),
    "randint_in_float": lambda tf, np: tf.keras.random.randint((3,), 0, 5, dtype="float32"),
    "randint_of_nothing": lambda tf, np: tf.keras.random.randint((3,), 5, 0),
    "uniform_in_int": lambda tf, np: tf.keras.random.uniform((3,), 0, 5, dtype="int32"),
    "categorical_of_a_row": lambda tf, np: tf.keras.random.categorical(tf.zeros((3,)), 4),
    "dropout_of_too_much": lambda tf, np: tf.keras.random.dropout(tf.ones(5), 1.5),
    "dropout_of_ints": lambda tf, np: tf.keras.random.dropout(tf.ones(5, tf.int32), 0.5),
    "mean_of_another_dtype": lambda tf, np: tf.random.normal((2,), tf.constant(1.0, tf.float64)),
    "shuffle_along_no_axis": lambda tf, np: tf.keras.random.shuffle(tf.range(3), axis=2),
}

TABLE = table(_BAD)
