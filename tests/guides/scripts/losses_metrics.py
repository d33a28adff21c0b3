"""Losses as functions and objects, sample weights, reductions, metrics over batches."""

import numpy as np
import tensorflow as tf

y_true = tf.constant([[0.0, 1.0], [0.0, 0.0]])
y_pred = tf.Variable([[0.6, 0.4], [0.4, 0.6]])
losses = tf.keras.losses
named = {
    "mse": losses.MeanSquaredError(), "mae": losses.MeanAbsoluteError(), "huber": losses.Huber(0.2),
    "bce": losses.BinaryCrossentropy(), "bce logits": losses.BinaryCrossentropy(from_logits=True),
    "cce": losses.CategoricalCrossentropy(label_smoothing=0.1), "kl": losses.KLDivergence(),
    "poisson": losses.Poisson(), "log cosh": losses.LogCosh(), "hinge": losses.Hinge(),
    "cosine": losses.CosineSimilarity(axis=1), "sum": losses.MeanSquaredError(reduction="sum"),
    "none": losses.MeanSquaredError(reduction=None),
}
for name, loss in named.items():
    with tf.GradientTape() as tape:
        value = loss(y_true, y_pred)
    print(name, value.numpy(), tape.gradient(value, y_pred).numpy().tolist())
print(losses.MeanSquaredError()(y_true, y_pred, sample_weight=[0.7, 0.3]).numpy())
print(tf.keras.losses.MSE(y_true, y_pred).numpy(), tf.keras.losses.binary_crossentropy(y_true, y_pred).numpy())
print(tf.nn.softmax_cross_entropy_with_logits(labels=y_true, logits=y_pred).numpy())
print(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0], logits=y_pred).numpy())
print(tf.nn.weighted_cross_entropy_with_logits(labels=y_true, logits=y_pred, pos_weight=2.0).numpy())


class Focal(losses.Loss):
    def __init__(self, gamma=2.0, **kwargs):
        super().__init__(**kwargs)
        self.gamma = gamma

    def call(self, y_true, y_pred):
        p = tf.where(y_true > 0.5, y_pred, 1.0 - y_pred)
        return tf.reduce_mean(-((1.0 - p) ** self.gamma) * tf.math.log(p), axis=-1)


with tf.GradientTape() as tape:
    value = Focal(name="focal")(y_true, y_pred)
print(value.numpy(), tape.gradient(value, y_pred).numpy())

mean = tf.keras.metrics.Mean()
for value in [8.0, 9.0, [10.0, 11.0]]:
    mean.update_state(value)
print(mean.result().numpy(), mean.result())
y_pred = tf.convert_to_tensor(y_pred)
accuracy = tf.keras.metrics.CategoricalAccuracy()
accuracy.update_state(y_true, y_pred)
print(accuracy.result().numpy(), tf.keras.metrics.BinaryAccuracy()(y_true, y_pred).numpy())
mse = tf.keras.metrics.MeanSquaredError()
mse.update_state(y_true, y_pred)
print(mse.result().numpy(), tf.keras.metrics.RootMeanSquaredError()(y_true, y_pred).numpy())


class Positives(tf.keras.metrics.Metric):
    def __init__(self, name="positives", **kwargs):
        super().__init__(name=name, **kwargs)
        self.count = self.add_weight(name="count", shape=(), initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.count.assign_add(tf.reduce_sum(tf.cast(y_pred > 0.5, tf.float32)))

    def result(self):
        return self.count


positives = Positives()
positives.update_state(y_true, y_pred)
positives.update_state(y_true, y_pred)
print(float(positives.result()), positives.name)
positives.reset_state()
print(float(positives.result()), isinstance(mean.result().numpy(), np.generic))
