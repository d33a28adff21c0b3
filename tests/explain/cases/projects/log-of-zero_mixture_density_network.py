import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(95)


class MixtureDensity(tf.keras.Model):
    def __init__(self, components):
        super().__init__()
        self.hidden = layers.Dense(12, activation="tanh")
        self.weights_head = layers.Dense(components)
        self.means = layers.Dense(components)
        self.scales = layers.Dense(components, activation="softplus")

    def call(self, x):
        h = self.hidden(x)
        return tf.nn.softmax(self.weights_head(h)), self.means(h), self.scales(h) + 1e-3


def normal_density(y, mean, scale):
    z = (y - mean) / scale
    return tf.exp(-0.5 * z**2) / (scale * np.float32(np.sqrt(2.0 * np.pi)))


def negative_log_likelihood(y, parameters):
    share, mean, scale = parameters
    likelihood = tf.reduce_sum(share * normal_density(y[:, None], mean, scale), axis=1)
    return -tf.reduce_mean(tf.math.log(likelihood))


class EarlyStop:
    def __init__(self, patience):
        self.patience = patience
        self.best = np.inf
        self.waited = 0

    def __call__(self, value):
        self.waited = 0 if value < self.best else self.waited + 1
        self.best = min(self.best, value)
        return self.waited > self.patience


rng = np.random.default_rng(95)
y = rng.uniform(-60.0, 60.0, 80).astype("float32")
x = (0.3 * y + 7.0 * np.sin(0.1 * y) + rng.normal(0.0, 0.5, 80)).astype("float32")[:, None] / 20.0
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(40)

model = MixtureDensity(3)
model(x[:1])
optimizer = tf.keras.optimizers.Adam(5e-3, clipnorm=1.0)
stop = EarlyStop(patience=2)
for epoch in range(2):
    total = 0.0
    for inputs, targets in train:
        with tf.GradientTape() as tape:
            loss = negative_log_likelihood(targets, model(inputs))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        total += float(loss)
    print(epoch, total)
    if stop(total):
        break
