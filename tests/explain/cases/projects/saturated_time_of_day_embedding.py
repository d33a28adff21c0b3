import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(71)

START = 1_700_000_000


def readings(hours=96):
    """Hourly load of a power grid: time stamp in seconds, temperature, load."""
    rng = np.random.default_rng(71)
    stamps = START + 3600 * np.arange(hours)
    day = 2.0 * np.pi * np.arange(hours) / 24.0
    temperature = 12.0 + 6.0 * np.sin(day - 2.0) + rng.normal(0.0, 0.8, hours)
    load = 40.0 + 9.0 * np.sin(day) - 0.4 * temperature + rng.normal(0.0, 0.5, hours)
    return stamps, temperature, load


class Scaler:
    def fit(self, values):
        self.mean, self.std = np.mean(values), np.std(values)
        return self

    def transform(self, values):
        return ((values - self.mean) / self.std).astype("float32")


def pipeline(batch):
    stamps, temperature, load = readings()
    columns = {
        "clock": np.asarray(stamps, "float32")[:, None],
        "temperature": Scaler().fit(temperature).transform(temperature)[:, None],
    }
    target = Scaler().fit(load).transform(load)
    return tf.data.Dataset.from_tensor_slices((columns, target)).shuffle(96, seed=1).batch(batch)


class LoadModel(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.clock = layers.Dense(4, activation="tanh", name="clock")
        self.weather = layers.Dense(4, activation="tanh", name="weather")
        self.mix = layers.Dense(6, activation="elu")
        self.out = layers.Dense(1)

    def features(self, columns):
        both = [self.clock(columns["clock"]), self.weather(columns["temperature"])]
        return self.mix(tf.concat(both, axis=-1))

    def call(self, columns):
        return self.out(self.features(columns))[:, 0]


def warmth_effect(model, columns):
    """How the load answers to a little more warmth, and how strong the features react."""
    warmth = tf.convert_to_tensor(columns["temperature"])
    with tf.GradientTape() as first:
        first.watch(warmth)
        features = model.features({**columns, "temperature": warmth})
        strength = tf.reduce_sum(features**2)
    with tf.GradientTape() as second:
        second.watch(warmth)
        load = tf.reduce_sum(model.out(features))
    reaction = first.gradient(strength, warmth)
    effect = second.gradient(load, warmth)
    return reaction, effect


model = LoadModel()
optimizer = tf.keras.optimizers.Adam(1e-2)
history = []
for epoch in range(2):
    for columns, load in pipeline(24):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(columns) - load) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    history.append(float(loss))
    norms = {v.name: round(float(tf.norm(g)), 6) for v, g in zip(model.trainable_variables, grads)}
print(history, norms)
print(warmth_effect(model, columns))
