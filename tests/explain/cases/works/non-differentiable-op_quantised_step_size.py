"""Training a network with 4-bit weights (learned step size quantisation)."""

import numpy as np
import tensorflow as tf

from quant_parts.layers import QuantisedDense

tf.keras.utils.set_random_seed(19)
rng = np.random.default_rng(19)


class Network(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.first = QuantisedDense(12, bits=4, activation="tanh")
        self.second = QuantisedDense(classes, bits=4)

    def call(self, x):
        return self.second(self.first(x))


def spirals(count):
    angle = rng.uniform(0.0, 3.0, count)
    label = rng.integers(0, 2, count)
    radius = 0.2 + 0.3 * angle
    x = np.stack([radius * np.cos(angle + np.pi * label), radius * np.sin(angle + np.pi * label)], 1)
    return x.astype("float32"), label


def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        loss = tf.reduce_mean(losses)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


model = Network(classes=2)
optimizer = tf.keras.optimizers.Adam(5e-3)
x, y = spirals(64)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)

for epoch in range(3):
    for inputs, labels in dataset:
        loss = train_step(model, optimizer, inputs, labels)
    print(f"epoch {epoch}: {float(loss):.4f}")
