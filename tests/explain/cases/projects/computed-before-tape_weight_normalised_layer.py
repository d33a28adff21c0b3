import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)


class WeightNormDense(tf.Module):
    """Dense layer whose columns have a learned length and a learned direction."""

    def __init__(self, width_in, units, activation=tf.identity):
        super().__init__()
        self.activation = activation
        self.direction = tf.Variable(tf.random.normal((width_in, units)), name="direction")
        self.length = tf.Variable(tf.ones(units), name="length")
        self.bias = tf.Variable(tf.zeros(units), name="bias")
        norm = tf.sqrt(tf.reduce_sum(tf.square(self.direction), axis=0))
        self.kernel = self.length * self.direction / norm

    def __call__(self, inputs):
        return self.activation(tf.matmul(inputs, self.kernel) + self.bias)


class Dense(tf.Module):
    def __init__(self, width_in, units):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal((width_in, units), stddev=0.2), name="kernel")
        self.bias = tf.Variable(tf.zeros(units), name="bias")

    def __call__(self, inputs):
        return tf.matmul(inputs, self.kernel) + self.bias


class Forecaster(tf.Module):
    def __init__(self, width, horizon):
        super().__init__()
        self.inner = WeightNormDense(width, 12, activation=tf.tanh)
        self.outer = Dense(12, horizon)

    def __call__(self, window):
        return self.outer(self.inner(window))


def windows(series, width, horizon):
    x, y = [], []
    for start in range(len(series) - width - horizon):
        x.append(series[start : start + width])
        y.append(series[start + width : start + width + horizon])
    return np.array(x, "float32"), np.array(y, "float32")


t = np.arange(120)
series = np.sin(t / 6.0) + 0.1 * np.random.default_rng(0).normal(size=120)
x, y = windows(series, 16, 4)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(200, seed=1).batch(32)

model = Forecaster(16, 4)
optimizer = tf.keras.optimizers.Adam(0.01)
mean_loss = tf.keras.metrics.Mean()

for epoch in range(2):
    mean_loss.reset_state()
    for window, future in dataset:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(window) - future))
        grads = tape.gradient(loss, model.outer.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.outer.trainable_variables))
        mean_loss.update_state(loss)
    print(f"head only, epoch {epoch}: {float(mean_loss.result()):.4f}")

fine = tf.keras.optimizers.SGD(0.05)
for window, future in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(window) - future))
    grads = tape.gradient(loss, model.trainable_variables)
    found = [(g, v) for g, v in zip(grads, model.trainable_variables) if g is not None]
    fine.apply_gradients(found)

with tf.GradientTape() as tape:
    spread = tf.math.reduce_variance(model.inner(x[:8]))
report = tape.gradient(spread, [model.inner.direction, model.inner.length])
print("sensitivity of the hidden spread", report)
