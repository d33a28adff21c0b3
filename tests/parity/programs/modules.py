"""Modules, layers and optimisers: which variables they hold, and what a step makes of them."""

from typing import Any


def _module(tf: Any) -> Any:
    class Example(tf.Module):
        def __init__(self) -> None:
            super().__init__(name="example")
            self.b = tf.Variable(1.0, name="b")
            self.a = tf.Variable(2.0, name="a", trainable=False)
            self.layers = [tf.Variable(3.0), {"k": tf.Variable(4.0)}]

    return Example()


def variables_of_a_module(tf: Any, np: Any) -> Any:
    return [(v.name, float(v)) for v in _module(tf).variables]


def trainable_variables_of_a_module(tf: Any, np: Any) -> Any:
    return [float(v) for v in _module(tf).trainable_variables]


def name_of_a_module(tf: Any, np: Any) -> Any:
    return _module(tf).name


def gradient_through_a_module(tf: Any, np: Any) -> Any:
    module = _module(tf)
    with tf.GradientTape() as tape:
        y = module.b * module.a * module.layers[0]
    return tape.gradient(y, module.trainable_variables)


def _dense(tf: Any, units: int, **options: Any) -> Any:
    return tf.keras.layers.Dense(units, kernel_initializer="ones", **options)


def a_dense_layer(tf: Any, np: Any) -> Any:
    layer = _dense(tf, 2, activation="relu")
    y = layer(tf.constant([[1.0, 2.0, -4.0], [1.0, 2.0, 3.0]]))
    return y, [tuple(v.shape) for v in layer.trainable_variables]


def gradients_of_a_dense_layer(tf: Any, np: Any) -> Any:
    layer = _dense(tf, 2, activation="tanh")
    x = tf.constant([[0.1, 0.2, -0.4]])
    with tf.GradientTape() as tape:
        y = layer(x)
        loss = tf.reduce_mean(y**2)
    return tape.gradient(loss, layer.trainable_variables)


def a_dense_layer_without_bias(tf: Any, np: Any) -> Any:
    layer = _dense(tf, 1, use_bias=False)
    return layer(tf.constant([[1.0, 2.0]])), len(layer.trainable_variables)


def a_dense_layer_on_a_vector(tf: Any, np: Any) -> Any:
    return _dense(tf, 2)(tf.constant([1.0, 2.0]))


def a_frozen_layer(tf: Any, np: Any) -> Any:
    layer = _dense(tf, 1)
    layer.trainable = False
    with tf.GradientTape() as tape:
        y = layer(tf.constant([[1.0, 2.0]]))
    return len(layer.trainable_variables), tape.gradient(y, layer.variables)


def a_sequential_model(tf: Any, np: Any) -> Any:
    model = tf.keras.Sequential([_dense(tf, 3, activation="tanh"), _dense(tf, 1)])
    unbuilt = len(model.trainable_variables)
    x = tf.constant([[0.1, -0.2]])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(model(x))
    return unbuilt, y, tape.gradient(y, model.trainable_variables)


def _three_steps(tf: Any, optimizer: Any) -> Any:
    v = tf.Variable([1.0, -2.0])
    for _ in range(3):
        optimizer.apply_gradients([(2.0 * v, v)])
    return v


def three_steps_of_sgd(tf: Any, np: Any) -> Any:
    return _three_steps(tf, tf.keras.optimizers.SGD(0.1))


def three_steps_of_sgd_with_momentum(tf: Any, np: Any) -> Any:
    return _three_steps(tf, tf.keras.optimizers.SGD(0.1, momentum=0.9))


def three_steps_of_sgd_with_nesterov(tf: Any, np: Any) -> Any:
    return _three_steps(tf, tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True))


def three_steps_of_adam(tf: Any, np: Any) -> Any:
    return _three_steps(tf, tf.keras.optimizers.Adam(0.1))


def a_missing_gradient_warns(tf: Any, np: Any) -> Any:
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    tf.keras.optimizers.SGD(0.1).apply_gradients([(None, v), (tf.constant(1.0), w)])
    return v, w


def no_gradient_at_all(tf: Any, np: Any) -> Any:
    tf.keras.optimizers.SGD(0.1).apply_gradients([(None, tf.Variable(1.0))])


def steps_are_counted(tf: Any, np: Any) -> Any:
    optimizer = tf.keras.optimizers.SGD(0.1)
    _three_steps(tf, optimizer)
    return int(optimizer.iterations)


def mean_squared_error(tf: Any, np: Any) -> Any:
    y = tf.constant([[0.5, 1.0], [0.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(y)
        loss = tf.keras.losses.MeanSquaredError()(tf.constant([[1.0, 1.0], [0.0, 0.0]]), y)
    return loss, tape.gradient(loss, y)


def sparse_categorical_crossentropy(tf: Any, np: Any) -> Any:
    logits = tf.constant([[0.5, 1.0, -1.0], [0.0, 2.0, 0.25]])
    with tf.GradientTape() as tape:
        tape.watch(logits)
        loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)(
            tf.constant([1, 2]), logits
        )
    return loss, tape.gradient(loss, logits)


def binary_crossentropy(tf: Any, np: Any) -> Any:
    logits = tf.constant([[0.5], [-1.0]])
    with tf.GradientTape() as tape:
        tape.watch(logits)
        loss = tf.keras.losses.BinaryCrossentropy(from_logits=True)(
            tf.constant([[1.0], [0.0]]), logits
        )
    return loss, tape.gradient(loss, logits)


def training_a_small_network(tf: Any, np: Any) -> Any:
    x = tf.constant([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = tf.constant([[0.0], [1.0], [1.0], [0.0]])
    w = tf.Variable([[0.5, -0.4, 0.3], [-0.2, 0.6, 0.1]])
    b = tf.Variable([0.1, 0.0, -0.1])
    u = tf.Variable([[0.3], [-0.5], [0.7]])
    optimizer = tf.keras.optimizers.Adam(0.05)
    losses = []
    for _ in range(8):
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(x @ w + b)
            loss = tf.reduce_mean(
                tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=hidden @ u)
            )
        variables = [w, b, u]
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        losses.append(loss)
    return losses
