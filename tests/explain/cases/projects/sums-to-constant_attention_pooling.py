import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(70)


class AttentionPool(layers.Layer):
    """One weight per time step, then the weighted mean (Bahdanau et al.)."""

    def __init__(self, units):
        super().__init__()
        self.project = layers.Dense(units, activation="tanh")
        self.score = layers.Dense(1, use_bias=False)
        self.last_weights = None

    def call(self, states):
        scores = self.score(self.project(states))
        weights = tf.nn.softmax(scores)
        self.last_weights = weights
        return tf.reduce_sum(weights * states, axis=1)


class Regressor(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.recurrent = layers.GRU(6, return_sequences=True)
        self.pool = AttentionPool(5)
        self.out = layers.Dense(1)

    def call(self, series):
        return self.out(self.pool(self.recurrent(series)))[:, 0]


def peaks(count, length=10):
    rng = np.random.default_rng(70)
    series = rng.normal(0.0, 0.1, (count, length, 1))
    where = rng.integers(0, length, count)
    height = rng.uniform(0.5, 2.0, count)
    series[np.arange(count), where, 0] += height
    return series.astype("float32"), height.astype("float32")


class WarmUp(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, steps):
        self.peak = peak
        self.steps = steps

    def __call__(self, step):
        share = (tf.cast(step, tf.float32) + 1.0) / self.steps
        return self.peak * tf.minimum(share, 1.0)


series, heights = peaks(40)
dataset = tf.data.Dataset.from_tensor_slices((series, heights)).batch(20)
model = Regressor()
model(series[:1])
variables = [
    *model.pool.trainable_variables,
    *model.recurrent.trainable_variables,
    *model.out.trainable_variables,
]
optimizer = tf.keras.optimizers.Adam(WarmUp(0.01, 4))

for epoch in range(2):
    for x, y in dataset:
        with tf.GradientTape() as tape:
            error = model(x, training=True) - y
            loss = tf.reduce_mean(error**2)
        grads = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(grads, variables))
    print(epoch, float(loss), float(tf.reduce_max(tf.abs(grads[0]))))
