"""Gradients of each example by one Jacobian; clipped one by one, as private training does."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(33)
x = tf.constant(random.normal(size=(6, 3)), tf.float32)
y = tf.constant(random.normal(size=(6, 1)), tf.float32)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])
model(x)
model.set_weights([random.normal(size=w.shape).astype("float32") for w in model.get_weights()])
with tf.GradientTape(persistent=True) as tape:
    losses = tf.reduce_sum((model(x) - y) ** 2, axis=1)
    mean = tf.reduce_mean(losses)
rows = tape.jacobian(losses, model.trainable_variables)
print([r.shape for r in rows])
whole = tape.gradient(mean, model.trainable_variables)
for r, g in zip(rows, whole):
    print(float(tf.reduce_max(tf.abs(tf.reduce_mean(r, 0) - g))) < 1e-5)
norms = tf.sqrt(tf.add_n([tf.reduce_sum(r**2, axis=list(range(1, len(r.shape)))) for r in rows]))
print(norms)
factor = tf.minimum(1.0, 2.0 / norms)
clipped = [tf.einsum("b,b...->...", factor, r) / 6.0 for r in rows]
print(clipped[0].numpy(), tf.linalg.global_norm(clipped).numpy())
slow = tape.jacobian(losses, model.trainable_variables[0], experimental_use_pfor=False)
print(np.allclose(slow, rows[0]))

images = tf.constant(random.normal(size=(2, 4, 4, 1)), tf.float32)
conv = tf.keras.layers.Conv2D(2, 2, activation="relu")
conv(images)
conv.set_weights([random.normal(size=w.shape).astype("float32") for w in conv.get_weights()])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(images)
    out = tf.reduce_sum(conv(images), axis=[1, 2])
print(tape.jacobian(out, conv.kernel)[0, 0, :, :, 0, 0])
print(tape.batch_jacobian(out, images).shape, tape.batch_jacobian(out, images)[1, 1, :, :, 0])

norm_layer = tf.keras.layers.BatchNormalization()
with tf.GradientTape() as tape:
    tape.watch(x)
    normal = norm_layer(x, training=True) ** 3
print(tape.jacobian(normal, x)[0, :, 0, :])
print(norm_layer.moving_mean.numpy(), norm_layer.moving_variance.numpy())


def loss_of(theta, xi, yi):
    return tf.reduce_sum((tf.tensordot(xi, theta, 1) - yi) ** 2)


theta = tf.constant([0.5, -1.0, 2.0])


def gradient_of_one(pair):
    with tf.GradientTape() as tape:
        tape.watch(theta)
        value = loss_of(theta, *pair)
    return tape.gradient(value, theta)


print(tf.vectorized_map(gradient_of_one, (x, y)))
