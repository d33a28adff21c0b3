"""Learn without labels that two noisy views of a signal are the same: a Model with its own train_step."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

SEED = 4
LENGTH, SIZE = 12, 6


def make_views(count):
    """Each signal twice, with other noise and another loudness."""
    rng = np.random.default_rng(SEED)
    time = np.linspace(0.0, 1.0, LENGTH)
    signals = np.sin(2.0 * np.pi * rng.uniform(0.5, 3.0, (count, 1)) * time)

    def view():
        loudness = rng.uniform(0.7, 1.3, (count, 1))
        return (loudness * signals + rng.normal(0.0, 0.1, signals.shape)).astype("float32")

    return view(), view()


def make_mlp(name, width, hidden):
    return keras.Sequential(
        [
            keras.Input((width,)),
            keras.layers.Dense(hidden, activation="tanh", name=f"{name}_hidden"),
            keras.layers.Dense(SIZE, name=f"{name}_out"),
        ],
        name=name,
    )


def negative_cosine(prediction, target):
    """-1 if both point the same way. The target is held still, or all would collapse to one point."""
    target = tf.stop_gradient(target)
    prediction = tf.math.l2_normalize(prediction, axis=1)
    target = tf.math.l2_normalize(target, axis=1)
    return -tf.reduce_mean(tf.reduce_sum(prediction * target, axis=1))


class TwoViews(keras.Model):
    def __init__(self, **settings):
        super().__init__(**settings)
        self.encoder = make_mlp("encoder", LENGTH, hidden=16)
        self.predictor = make_mlp("predictor", SIZE, hidden=4)
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.spread_tracker = keras.metrics.Mean(name="spread")

    @property
    def metrics(self):
        return [self.loss_tracker, self.spread_tracker]

    def call(self, signals):
        return self.encoder(signals)

    def train_step(self, views):
        one, two = views
        with tf.GradientTape() as tape:
            z1, z2 = self.encoder(one), self.encoder(two)
            p1, p2 = self.predictor(z1), self.predictor(z2)
            loss = negative_cosine(p1, z2) / 2.0 + negative_cosine(p2, z1) / 2.0
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))

        directions = tf.math.l2_normalize(z1, axis=1)
        self.loss_tracker.update_state(loss)
        self.spread_tracker.update_state(tf.math.reduce_std(directions, axis=0))
        return {metric.name: metric.result() for metric in self.metrics}


def main():
    keras.utils.set_random_seed(SEED)
    one, two = make_views(64)
    model = TwoViews()
    model.compile(optimizer=keras.optimizers.SGD(0.5))
    before = {weight.path: weight.numpy().copy() for weight in model.trainable_variables}

    data = tf.data.Dataset.from_tensor_slices((one, two)).batch(16)
    history = model.fit(data, epochs=4, verbose=0).history
    for epoch, (loss, spread) in enumerate(zip(history["loss"], history["spread"])):
        print(f"epoch {epoch}: loss {loss:.3f}, spread {spread:.3f}")

    for weight in model.trainable_variables:
        moved = np.abs(weight.numpy() - before[weight.path]).max()
        print(f"{weight.path:34} {'has not moved' if moved == 0 else 'has learned'}")
    print("a code:", model.predict(one[:1], verbose=0).round(1)[0])


if __name__ == "__main__":
    main()
