"""Training a Keras model with an optimiser of our own that works on one flat vector, as SciPy's do."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(59)
rng = np.random.default_rng(59)


class FlatModel:
    """A model whose parameters are seen as one vector."""

    def __init__(self, model, loss_fn, x, y):
        self.model = model
        self.loss_fn = loss_fn
        self.x, self.y = x, y
        self.shapes = [tuple(v.shape) for v in model.trainable_variables]
        self.sizes = [int(np.prod(shape)) for shape in self.shapes]

    def start(self):
        return tf.concat([tf.reshape(v, [-1]) for v in self.model.trainable_variables], axis=0)

    def load(self, flat):
        """Writes the vector back into the layers."""
        pieces = tf.split(flat, self.sizes)
        for variable, piece, shape in zip(self.model.trainable_variables, pieces, self.shapes):
            variable.assign(tf.reshape(piece, shape))

    def loss(self, flat):
        self.load(flat)
        return self.loss_fn(self.y, self.model(self.x))

    def loss_and_gradient(self, flat):
        with tf.GradientTape() as tape:
            tape.watch(flat)
            loss = self.loss(flat)
        return loss, tape.gradient(loss, flat)


def line_search(problem, flat, loss, gradient, step=1.0, shrink=0.5, slope=1e-4):
    """Armijo's rule."""
    descent = tf.reduce_sum(gradient**2)
    while step > 1e-6:
        trial = flat - step * gradient
        if problem.loss(trial) <= loss - slope * step * descent:
            return trial
        step *= shrink
    return flat


def minimise(problem, iterations):
    flat = problem.start()
    for iteration in range(iterations):
        loss, gradient = problem.loss_and_gradient(flat)
        print(f"{iteration}: {float(loss):.5f}")
        flat = line_search(problem, flat, loss, gradient)
    return flat


x = np.linspace(-1.0, 1.0, 30, dtype="float32")[:, np.newaxis]
y = (np.sin(3.0 * x) + 0.05 * rng.normal(size=x.shape)).astype("float32")
model = tf.keras.Sequential(
    [tf.keras.Input((1,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)]
)
problem = FlatModel(model, tf.keras.losses.MeanSquaredError(), x, y)
minimise(problem, iterations=5)
