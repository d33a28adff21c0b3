"""Layers, losses and metrics of Keras: what they compute from given weights, and the slopes of weights and inputs."""

from collections.abc import Callable, Mapping
from typing import Any

from programs.case import Case, Program, rounds


def _numbers(np: Any, shape: Any, seed: int) -> Any:
    """Numbers of size 1, no two alike."""
    count = int(np.prod(shape))
    mixed = (np.arange(count) * (2 * seed + 5) * 7 + seed) % (count + 1)
    numbers = (mixed / (count + 1.0) * 2.0 - 0.9 + 0.01 * seed).reshape(shape)
    return numbers.astype("float32")


def _set_weights(np: Any, layer: Any) -> None:
    for seed, weight in enumerate(layer.weights):
        numbers = _numbers(np, tuple(weight.shape), seed + 1)
        weight.assign(abs(numbers) if "variance" in weight.path else numbers)


def _answers(
    make: Callable[[Any], Any], shapes: tuple[tuple[int, ...], ...], **settings: Any
) -> Program:
    """The output, the slopes of inputs and weights, and all weights afterwards."""

    def program(tf: Any, np: Any) -> Any:
        layer = make(tf.keras.layers)
        xs = [tf.constant(_numbers(np, shape, i)) for i, shape in enumerate(shapes)]
        given = xs[0] if len(xs) == 1 else xs
        layer(given)
        _set_weights(np, layer)
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = layer(given, **settings)
            loss = tf.reduce_sum(y * y * _numbers(np, tuple(y.shape), 9))
        slopes = tape.gradient(loss, [*xs, *layer.trainable_weights])
        weights = [(w.path.split("/", 1)[1], w.numpy()) for w in layer.weights]
        return {"value": y, "slopes": slopes, "weights": weights}

    return program


def _rows(makers: Mapping[str, tuple[Any, ...]], **settings: Any) -> tuple[Case, ...]:
    return tuple(
        Case(name, _answers(make, shapes, **settings)) for name, (make, *shapes) in makers.items()
    )


PICTURES, SEQUENCES, ROWS = (2, 4, 5, 2), (2, 4, 3), (3, 4)

ACTIVATIONS = (
    "linear",
    "relu",
    "relu6",
    "leaky_relu",
    "elu",
    "selu",
    "gelu",
    "silu",
    "softsign",
    "softplus",
    "tanh",
    "sigmoid",
    "exponential",
    "hard_sigmoid",
    "hard_tanh",
    "mish",
    "log_sigmoid",
    "softmax",
    "log_softmax",
)

LAYERS = {
    "dense": (lambda k: k.Dense(3, activation="tanh"), ROWS),
    "dense_on_sequences": (lambda k: k.Dense(2), SEQUENCES),
    "conv2d": (lambda k: k.Conv2D(3, (3, 2), activation="relu"), PICTURES),
    "conv2d_in_steps": (lambda k: k.Conv2D(3, 2, strides=2, padding="same"), PICTURES),
    "conv2d_in_groups": (lambda k: k.Conv2D(4, 2, groups=2, use_bias=False), PICTURES),
    "conv2d_transpose": (lambda k: k.Conv2DTranspose(3, 3, strides=2, padding="same"), PICTURES),
    "conv2d_transpose_valid": (lambda k: k.Conv2DTranspose(3, 3, strides=2), PICTURES),
    "conv2d_transpose_with_gaps": (lambda k: k.Conv2DTranspose(2, 2, strides=3), PICTURES),
    "depthwise_conv2d": (lambda k: k.DepthwiseConv2D(2, depth_multiplier=2), PICTURES),
    "conv1d": (lambda k: k.Conv1D(3, 2, padding="same"), SEQUENCES),
    "max_pooling2d": (lambda k: k.MaxPool2D(), PICTURES),
    "max_pooling2d_same": (lambda k: k.MaxPooling2D(3, 2, padding="same"), PICTURES),
    "average_pooling2d": (lambda k: k.AveragePooling2D((2, 3), padding="same"), PICTURES),
    "max_pooling1d": (lambda k: k.MaxPooling1D(2), SEQUENCES),
    "average_pooling1d": (lambda k: k.AveragePooling1D(3, 1), SEQUENCES),
    "global_average_pooling2d": (lambda k: k.GlobalAveragePooling2D(), PICTURES),
    "global_max_pooling2d": (lambda k: k.GlobalMaxPooling2D(keepdims=True), PICTURES),
    "global_average_pooling1d": (lambda k: k.GlobalAveragePooling1D(), SEQUENCES),
    "global_max_pooling1d": (lambda k: k.GlobalMaxPooling1D(), SEQUENCES),
    "batch_normalization": (lambda k: k.BatchNormalization(), ROWS),
    "batch_normalization_along_axis_1": (lambda k: k.BatchNormalization(axis=1), SEQUENCES),
    "layer_normalization": (lambda k: k.LayerNormalization(), ROWS),
    "layer_normalization_of_two_axes": (lambda k: k.LayerNormalization(axis=[1, 2]), SEQUENCES),
    "layer_normalization_without_weights": (
        lambda k: k.LayerNormalization(center=False, scale=False),
        ROWS,
    ),
    "dropout_outside_training": (lambda k: k.Dropout(0.5), ROWS),
    "flatten": (lambda k: k.Flatten(), PICTURES),
    "reshape": (lambda k: k.Reshape((2, -1)), ROWS),
    "permute": (lambda k: k.Permute((3, 1, 2)), PICTURES),
    "repeat_vector": (lambda k: k.RepeatVector(2), ROWS),
    "zero_padding2d": (lambda k: k.ZeroPadding2D(((1, 0), (2, 1))), PICTURES),
    "zero_padding2d_all_around": (lambda k: k.ZeroPadding2D(), PICTURES),
    "up_sampling2d": (lambda k: k.UpSampling2D((2, 1)), PICTURES),
    "relu": (lambda k: k.ReLU(), ROWS),
    "relu_with_all_settings": (lambda k: k.ReLU(0.5, 0.1, 0.2), ROWS),
    "relu_up_to_a_half": (lambda k: k.ReLU(max_value=0.5), ROWS),
    "leaky_relu": (lambda k: k.LeakyReLU(), ROWS),
    "elu": (lambda k: k.ELU(0.7), ROWS),
    "prelu": (lambda k: k.PReLU(), ROWS),
    "softmax": (lambda k: k.Softmax(), ROWS),
    "softmax_along_axis_1": (lambda k: k.Softmax(axis=1), SEQUENCES),
    "add": (lambda k: k.Add(), ROWS, ROWS, ROWS),
    "subtract": (lambda k: k.Subtract(), ROWS, ROWS),
    "multiply": (lambda k: k.Multiply(), ROWS, ROWS),
    "average": (lambda k: k.Average(), ROWS, ROWS, ROWS),
    "maximum": (lambda k: k.Maximum(), ROWS, ROWS),
    "minimum": (lambda k: k.Minimum(), ROWS, ROWS),
    "concatenate": (lambda k: k.Concatenate(), ROWS, ROWS),
    "concatenate_along_axis_1": (lambda k: k.Concatenate(axis=1), SEQUENCES, SEQUENCES),
    "simple_rnn": (lambda k: k.SimpleRNN(2), SEQUENCES),
    "simple_rnn_backwards": (lambda k: k.SimpleRNN(2, go_backwards=True), SEQUENCES),
    "lstm": (lambda k: k.LSTM(2), SEQUENCES),
    "lstm_with_all_steps": (lambda k: k.LSTM(2, return_sequences=True), SEQUENCES),
    "lstm_without_bias": (lambda k: k.LSTM(2, use_bias=False), SEQUENCES),
    "gru": (lambda k: k.GRU(2), SEQUENCES),
    "gru_with_all_steps": (lambda k: k.GRU(2, return_sequences=True), SEQUENCES),
    "an_rnn_of_a_cell": (lambda k: k.RNN(k.GRUCell(2)), SEQUENCES),
    **{
        f"activation_{name}": (lambda k, name=name: k.Activation(name), ROWS)
        for name in ACTIVATIONS
    },
}

WHILE_TRAINING = {
    "batch_normalization_while_training": (lambda k: k.BatchNormalization(), ROWS),
    "batch_normalization_of_pictures_while_training": (
        lambda k: k.BatchNormalization(momentum=0.5, epsilon=0.01, scale=False),
        PICTURES,
    ),
    "a_frozen_batch_normalization_while_training": (
        lambda k: k.BatchNormalization(trainable=False),
        ROWS,
    ),
}

# Keras computes in float32 along other ways (fused kernels, other orders of sums), and a division by a root enlarges it.
_CLOSE = rounds(2e-5, "float32, in another order")

TABLE: tuple[Case, ...] = (
    *map(_CLOSE, _rows(LAYERS)),
    *map(_CLOSE, _rows(WHILE_TRAINING, training=True)),
)


# --- losses ---

PAIR = ([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], [[0.2, 0.7, 0.1], [0.5, 0.2, 0.3]])


def _loss(make: Callable[[Any], Any], true: Any = PAIR[0], predicted: Any = PAIR[1]) -> Program:
    def program(tf: Any, np: Any) -> Any:
        x = tf.constant(predicted)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = make(tf.keras.losses)(tf.constant(true), x)
        return y, tape.gradient(y, x)

    return program


def _behind(activation: str, make: Callable[[Any], Any], true: Any) -> Program:
    """Logits so large that the probabilities are 0 and 1: only the logits behind them have a slope."""

    def program(tf: Any, np: Any) -> Any:
        x = tf.constant([[40.0, -40.0, 3.0], [-40.0, 1.0, 40.0]])
        with tf.GradientTape() as tape:
            tape.watch(x)
            probabilities = getattr(tf.keras.activations, activation)(x)
            y = make(tf.keras.losses)(tf.constant(true), probabilities)
        return y, tape.gradient(y, x)

    return program


LOSSES = {
    "loss_mean_squared_error": _loss(lambda k: k.MeanSquaredError()),
    "loss_mean_absolute_error": _loss(lambda k: k.MeanAbsoluteError()),
    "loss_huber": _loss(lambda k: k.Huber(0.25)),
    "loss_log_cosh": _loss(lambda k: k.LogCosh()),
    "loss_poisson": _loss(lambda k: k.Poisson()),
    "loss_kl_divergence": _loss(lambda k: k.KLDivergence()),
    "loss_hinge": _loss(lambda k: k.Hinge()),
    "loss_hinge_of_signs": _loss(lambda k: k.Hinge(), [[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0]]),
    "loss_cosine_similarity": _loss(lambda k: k.CosineSimilarity()),
    "loss_binary_crossentropy": _loss(lambda k: k.BinaryCrossentropy()),
    "loss_binary_crossentropy_of_logits": _loss(lambda k: k.BinaryCrossentropy(from_logits=True)),
    "loss_binary_crossentropy_smoothed": _loss(lambda k: k.BinaryCrossentropy(label_smoothing=0.1)),
    "loss_categorical_crossentropy": _loss(lambda k: k.CategoricalCrossentropy()),
    "loss_categorical_crossentropy_of_logits": _loss(
        lambda k: k.CategoricalCrossentropy(from_logits=True)
    ),
    "loss_categorical_crossentropy_smoothed": _loss(
        lambda k: k.CategoricalCrossentropy(label_smoothing=0.1)
    ),
    "loss_sparse_categorical_crossentropy": _loss(
        lambda k: k.SparseCategoricalCrossentropy(), [1, 0]
    ),
    "loss_without_reduction": _loss(lambda k: k.MeanSquaredError(reduction=None)),
    "loss_summed": _loss(lambda k: k.MeanSquaredError(reduction="sum")),
    "the_logits_behind_a_sigmoid": _behind(
        "sigmoid", lambda k: k.BinaryCrossentropy(), [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    ),
    "the_logits_behind_a_softmax": _behind(
        "softmax", lambda k: k.CategoricalCrossentropy(), [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    ),
    "the_logits_behind_a_sparse_softmax": _behind(
        "softmax", lambda k: k.SparseCategoricalCrossentropy(), [1, 0]
    ),
    "logits_that_are_none": _behind(
        "softmax", lambda k: k.SparseCategoricalCrossentropy(from_logits=True), [1, 0]
    ),
}

# --- metrics ---


def _metric(make: Callable[[Any], Any], *batches: tuple[Any, ...]) -> Program:
    def program(tf: Any, np: Any) -> Any:
        metric = make(tf.keras.metrics)
        so_far = [metric(*map(tf.constant, batch)) for batch in batches]
        names = [variable.path for variable in metric.variables]
        metric.reset_state()
        return so_far, metric.name, names, metric.result()

    return program


BITS = ([1.0, 0.0, 1.0], [0.7, 0.6, 0.2])
METRICS = {
    "metric_mean": _metric(lambda k: k.Mean(), ([1.0, 2.0],), (6.0,)),
    "metric_weighted_mean": _metric(lambda k: k.Mean(), ([1.0, 2.0], [3.0, 1.0])),
    "metric_named_mean": _metric(lambda k: k.Mean(name="loss"), (3.0,)),
    "metric_sum": _metric(lambda k: k.Sum(), ([1.0, 2.0],), ([4.0],)),
    "metric_accuracy": _metric(lambda k: k.Accuracy(), ([1, 2, 3], [1, 3, 3])),
    "metric_binary_accuracy": _metric(lambda k: k.BinaryAccuracy(), BITS),
    "metric_categorical_accuracy": _metric(lambda k: k.CategoricalAccuracy(), PAIR),
    "metric_sparse_categorical_accuracy": _metric(
        lambda k: k.SparseCategoricalAccuracy(), ([1, 2], PAIR[1]), ([0, 0], PAIR[1])
    ),
    "metric_sparse_categorical_accuracy_of_columns": _metric(
        lambda k: k.SparseCategoricalAccuracy(), ([[1], [2]], PAIR[1])
    ),
    "metric_mean_squared_error": _metric(lambda k: k.MeanSquaredError(), BITS),
    "metric_root_mean_squared_error": _metric(lambda k: k.RootMeanSquaredError(), BITS),
    "metric_mean_absolute_error": _metric(lambda k: k.MeanAbsoluteError(), BITS),
    "metric_binary_crossentropy": _metric(lambda k: k.BinaryCrossentropy(), BITS),
    "metric_categorical_crossentropy": _metric(lambda k: k.CategoricalCrossentropy(), PAIR),
    "metric_sparse_categorical_crossentropy": _metric(
        lambda k: k.SparseCategoricalCrossentropy(), ([1, 0], PAIR[1])
    ),
}

TABLE += tuple(Case(name, program) for name, program in (LOSSES | METRICS).items())


# --- regularizers, initializers, names ---


def a_price_on_weights(tf: Any, np: Any) -> Any:
    keras = tf.keras
    layer = keras.layers.Dense(
        2,
        kernel_initializer="ones",
        bias_initializer="ones",
        kernel_regularizer=keras.regularizers.L1L2(0.1, 0.2),
        bias_regularizer="l2",
    )
    with tf.GradientTape() as tape:
        layer(tf.ones([1, 3]))
        losses = layer.losses
        price = tf.add_n(losses)
    return losses, tape.gradient(price, layer.trainable_weights)


def prices_in_a_model(tf: Any, np: Any) -> Any:
    keras = tf.keras
    model = keras.Sequential(
        [
            keras.layers.Dense(2, kernel_initializer="ones", kernel_regularizer="l1"),
            keras.layers.Dense(
                1, kernel_initializer="ones", kernel_regularizer=keras.regularizers.l2(0.5)
            ),
        ]
    )
    model(tf.ones([1, 3]))
    return model.losses


def a_loss_that_a_layer_adds(tf: Any, np: Any) -> Any:
    class Watched(tf.keras.layers.Layer):
        def call(self, inputs: Any) -> Any:
            self.add_loss(tf.reduce_sum(inputs))
            return inputs

    layer = Watched()
    layer(tf.ones([2]))
    layer(tf.ones([3]))
    return layer.losses


def training_reaches_layers_inside(tf: Any, np: Any) -> Any:
    class Net(tf.keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.norm = tf.keras.layers.BatchNormalization()

        def call(self, inputs: Any) -> Any:
            return self.norm(inputs)

    net = Net()
    y = net(tf.constant([[1.0], [3.0]]), training=True)
    return y, net.norm.moving_mean.numpy(), len(net.trainable_weights), len(net.weights)


def first_values_without_chance(tf: Any, np: Any) -> Any:
    initializers = tf.keras.initializers
    made = [
        initializers.Zeros()((2,)),
        initializers.Ones()((2,)),
        initializers.Constant(3.0)((2,)),
        initializers.Identity(2.0)((2, 3)),
    ]
    return [tf.convert_to_tensor(each) for each in made]


def first_values_that_keep_lengths(tf: Any, np: Any) -> Any:
    q = tf.keras.initializers.Orthogonal(gain=2.0, seed=1)((2, 2, 3))
    flat = tf.reshape(tf.convert_to_tensor(q), [4, 3])
    return tf.round(tf.matmul(flat, flat, transpose_a=True) * 1000.0) / 1000.0


def the_forget_gate_begins_open(tf: Any, np: Any) -> Any:
    layer = tf.keras.layers.LSTM(2)
    layer(tf.ones([1, 1, 1]))
    return layer.weights[-1].numpy()


def the_states_of_an_lstm(tf: Any, np: Any) -> Any:
    layer = tf.keras.layers.LSTM(2, return_state=True)
    x = tf.constant(_numbers(np, SEQUENCES, 1))
    layer(x)
    _set_weights(np, layer)
    return list(layer(x))


def one_step_of_an_lstm(tf: Any, np: Any) -> Any:
    cell = tf.keras.layers.LSTMCell(2)
    x, state = tf.constant(_numbers(np, (3, 4), 1)), [tf.ones([3, 2]), tf.zeros([3, 2])]
    cell(x, state)
    _set_weights(np, cell)
    output, states = cell(x, state)
    return output, list(states)


def names_of_layers(tf: Any, np: Any) -> Any:
    k = tf.keras.layers
    tf.keras.backend.clear_session()
    kinds = (
        k.Conv2D(1, 1),
        k.MaxPool2D(),
        k.AveragePooling2D(2),
        k.LSTM(1),
        k.GRU(1),
        k.SimpleRNN(1),
    )
    kinds += (k.BatchNormalization(), k.PReLU(), k.ReLU(), k.ZeroPadding2D(), k.LSTMCell(1))
    kinds += (k.Conv2DTranspose(1, 1), k.GlobalAveragePooling2D(), k.LayerNormalization(), k.Add())
    return [layer.name for layer in kinds]


def _refused(call: Callable[[Any, Any], Any]) -> Program:
    return lambda tf, np: call(tf, tf.keras.layers)


TABLE += tuple(
    Case(name, _refused(call))
    for name, call in {
        "a_kernel_larger_than_the_picture": lambda tf, k: k.Conv2D(1, 9)(tf.ones([1, 4, 4, 1])),
        "a_picture_of_rank_3": lambda tf, k: k.Conv2D(1, 2)(tf.ones([4, 4, 1])),
        "groups_that_do_not_divide": lambda tf, k: k.Conv2D(3, 2, groups=3)(tf.ones([1, 4, 4, 2])),
        "a_sum_of_one": lambda tf, k: k.Add()(tf.ones([2])),
        "an_unknown_padding": lambda tf, k: k.Conv2D(1, 2, padding="around"),
        "an_unknown_regularizer": lambda tf, k: k.Dense(1, kernel_regularizer="l3")(
            tf.ones([1, 1])
        ),
        "an_unknown_argument_of_an_optimizer": lambda tf, k: tf.keras.optimizers.SGD(0.1, speed=2),
        "two_ways_to_clip": lambda tf, k: tf.keras.optimizers.SGD(0.1, clipnorm=1.0, clipvalue=1.0),
        "stairs_of_another_length": lambda tf, k: (
            tf.keras.optimizers.schedules.PiecewiseConstantDecay([1], [1.0])
        ),
    }.items()
)
