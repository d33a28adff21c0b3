import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(110)


class Visitors:
    """How often customers come in a month: age, distance in metres, income."""

    columns = ("age", "distance", "income")

    def __init__(self, count, seed=110):
        rng = np.random.default_rng(seed)
        age = rng.uniform(18, 80, count)
        distance = rng.gamma(2.0, 900.0, count)
        income = rng.lognormal(10.2, 0.4, count)
        expected = np.exp(1.5 - distance / 2500.0 + 0.01 * (age - 40))
        self.x = np.stack([age, distance, income], axis=1).astype("float32")
        self.y = rng.poisson(expected).astype("float32")

    def dataset(self, batch):
        return tf.data.Dataset.from_tensor_slices((self.x, self.y)).batch(batch)


class CountModel(tf.keras.Model):
    def __init__(self, units=6):
        super().__init__()
        small = tf.keras.initializers.RandomUniform(0.0, 0.05, seed=7)
        self.hidden = layers.Dense(units, activation="softplus", kernel_initializer=small)
        self.out = layers.Dense(1, kernel_initializer=small)

    def call(self, x):
        return self.out(self.hidden(x))[:, 0]

    def rate(self, x):
        return tf.exp(self(x))


def poisson_loss(y, rate):
    return tf.reduce_mean(rate - y * tf.math.log(rate))


class Sensitivity:
    """Mean slope of the model's output for each column."""

    def __init__(self, model):
        self.model = model

    def score(self, x):
        return self.model.predict(x, verbose=0)

    def __call__(self, x):
        x = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            score = tf.reduce_sum(self.score(x))
        slopes = tape.gradient(score, x)
        return None if slopes is None else tf.reduce_mean(slopes, axis=0).numpy()


visitors = Visitors(60)
model = CountModel()
print(dict(zip(visitors.columns, [Sensitivity(model)(visitors.x[:10])] * 3)))

optimizer = tf.keras.optimizers.Adam(1e-3)
for x, y in visitors.dataset(30):
    with tf.GradientTape() as tape:
        loss = poisson_loss(y, model.rate(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(float(loss))
