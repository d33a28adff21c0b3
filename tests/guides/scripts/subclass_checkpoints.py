"""A model class with a train_step of its own, trained in two parts: the second goes on from a checkpoint of the first."""

import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Curve(keras.Model):
    """y as a sum of bumps along x, with a weight for how rough the sum is."""

    def __init__(self, bumps=6, roughness=0.01):
        super().__init__()
        self.hidden = keras.layers.Dense(bumps, activation="tanh")
        self.out = keras.layers.Dense(1)
        self.roughness = roughness
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.rough_tracker = keras.metrics.Mean(name="roughness")

    @property
    def metrics(self):
        return [self.loss_tracker, self.rough_tracker]

    def call(self, x):
        return self.out(self.hidden(x))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            with tf.GradientTape() as inner:
                inner.watch(x)
                prediction = self(x, training=True)
            slope = inner.gradient(prediction, x)
            rough = tf.reduce_mean(tf.square(slope))
            loss = tf.reduce_mean(tf.square(prediction - y)) + self.roughness * rough
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        self.rough_tracker.update_state(rough)
        return {metric.name: metric.result() for metric in self.metrics}

    def test_step(self, data):
        x, y = data
        self.loss_tracker.update_state(tf.reduce_mean(tf.square(self(x, training=False) - y)))
        return {"loss": self.loss_tracker.result()}


def made(rate):
    """A model with the same start each time, its optimizer and a counter."""
    model = Curve()
    model(tf.zeros((1, 1)))
    for number, weight in enumerate(model.weights):
        size = int(np.prod(weight.shape))
        weight.assign(np.cos(np.arange(size) * 0.9 + number).reshape(weight.shape))
    optimizer = keras.optimizers.Adam(rate)
    optimizer.build(model.trainable_variables)
    model.compile(optimizer=optimizer)
    return model, optimizer, tf.Variable(0, name="epochs")


x = np.linspace(-2.0, 2.0, 40, dtype="float32")[:, None]
y = np.sin(2.0 * x) + 0.1 * np.cos(9.0 * x)

with tempfile.TemporaryDirectory() as folder:
    model, optimizer, epochs = made(rate=0.05)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, epochs=epochs)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    print("at first:", manager.latest_checkpoint, manager.restore_or_initialize())
    for part in range(3):
        history = model.fit(x, y, batch_size=10, epochs=4, shuffle=False, verbose=0)
        epochs.assign_add(4)
        path = manager.save()
        numbers = {name: np.round(each[-1], 4) for name, each in history.history.items()}
        print(f"after {int(epochs)} epochs:", path.split("/")[-1], {k: float(v) for k, v in numbers.items()})
    print("kept:", [each.split("/")[-1] for each in manager.checkpoints])

    # On without a break, and from the checkpoint: the same numbers, for Adam's memory is in it.
    straight = model.fit(x, y, batch_size=10, epochs=2, shuffle=False, verbose=0).history["loss"]
    again, optimizer, epochs = made(rate=0.5)
    later = tf.train.Checkpoint(model=again, optimizer=optimizer, epochs=epochs)
    later.restore(tf.train.latest_checkpoint(folder)).expect_partial()
    resumed = again.fit(x, y, batch_size=10, epochs=2, shuffle=False, verbose=0).history["loss"]
    print("straight:", np.round(straight, 4), "resumed:", np.round(resumed, 4))
    print("equal:", np.allclose(straight, resumed, rtol=1e-5), "epochs:", int(epochs), "steps:", int(optimizer.iterations))
    rate = float(np.array(optimizer.learning_rate))
    print("rate:", round(rate, 4), "shapes:", [tuple(weight.shape) for weight in again.weights])

    try:
        tf.train.Checkpoint(epochs=tf.Variable(0), more=tf.Variable(1.0)).restore(
            manager.latest_checkpoint
        ).assert_consumed()
    except AssertionError as error:
        print("a checkpoint of something else:", type(error).__mro__[-4].__name__)

print("evaluate:", round(float(again.evaluate(x, y, verbose=0)), 4))
print("predict:", again.predict(x[:3], verbose=0).round(3).tolist())
