"""A small network with several mistakes: three gradients are None and two are zero, and all others arrive."""

import warnings

import numpy as np
import tensorflow as tf

warnings.simplefilter("ignore")
tf.random.set_seed(1)
data = tf.data.Dataset.from_tensor_slices(
    (np.linspace(-1.0, 1.0, 12, dtype=np.float32).reshape(6, 2), np.arange(6, dtype=np.float32))
).batch(6)
hidden = tf.keras.layers.Dense(3, activation="relu", kernel_initializer="ones", name="hidden")
model = tf.keras.Sequential([hidden, tf.keras.layers.Dense(1, kernel_initializer="ones", name="out")])
optimizer = tf.keras.optimizers.SGD(0.01)
scale = tf.Variable(2.0, name="scale")
rate = tf.Variable(0.0, name="rate")
count = tf.Variable(3, name="count")
unused = tf.Variable([1.0, 2.0], name="unused")


def penalty(weights, strength):
    total = tf.constant(0.0)
    for weight in weights:
        total += strength * tf.reduce_sum(tf.square(weight))
    return total


for epoch in range(2):
    for x, y in data:
        with tf.GradientTape(persistent=True) as tape:
            prediction = tf.squeeze(model(x), axis=1) * scale
            error = prediction - y
            loss = tf.reduce_mean(tf.square(error)) + penalty(model.trainable_variables, 0.1)
            measured = tf.constant(np.abs(error.numpy()).mean()) * scale
            safe = tf.where(rate > 0.0, tf.sqrt(rate), 0.0)
            classes = tf.cast(count, tf.float32) * tf.sign(scale)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if epoch == 1:
            print("measured", tape.gradient(measured, hidden.kernel))
            print("safe", tape.gradient(safe, rate))
            print("classes", tape.gradient(classes, [scale, count]))
            print("unused", tape.gradient(loss, {"unused": unused, "scale": scale}))
        scale.assign_sub(0.01 * tape.gradient(loss, scale))

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        cubed = scale**3
    slope = inner.gradient(cubed, scale)
print("second", round(float(outer.gradient(slope, scale)), 3))
with tf.GradientTape() as tape:
    tape.watch(x)
    z = tf.math.cumsum(x, axis=0) @ tf.ones((2, 2))
print("jacobian", tape.jacobian(z, x).shape)
