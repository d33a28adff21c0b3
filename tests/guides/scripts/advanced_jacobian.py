"""Jacobians, batch Jacobians, a Hessian and Newton's step."""

import numpy as np
import tensorflow as tf

x = tf.linspace(-10.0, 10.0, 20 + 1)
delta = tf.Variable(0.0)
with tf.GradientTape() as tape:
    y = tf.nn.sigmoid(x + delta)
dy_dx = tape.jacobian(y, delta)
print(y.shape, dy_dx.shape)
print(dy_dx)

random = np.random.default_rng(2)
x = tf.constant(random.normal(size=[7, 5]), tf.float32)
layer = tf.keras.layers.Dense(10, activation=tf.nn.relu)
layer.build([None, 5])
layer.kernel.assign(random.normal(size=[5, 10]).astype("float32"))
with tf.GradientTape(persistent=True) as tape:
    y = layer(x)
print(layer.kernel.shape, y.shape)
j = tape.jacobian(y, layer.kernel)
print(j.shape)
g = tape.gradient(y, layer.kernel)
j_sum = tf.reduce_sum(j, axis=[0, 1])
delta = tf.reduce_max(abs(g - j_sum)).numpy()
print(bool(delta < 1e-3))

with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = tf.nn.elu(x @ layer.kernel)
j = tape.jacobian(y, x)
jb = tape.batch_jacobian(y, x)
j_sum = tf.reduce_sum(j, axis=2)
print(j.shape, jb.shape, bool(tf.reduce_max(abs(jb - j_sum)) < 1e-5))
print(tf.einsum("bxby->bxy", j).shape, jb[0, 0].numpy())

w1 = tf.Variable(random.normal(size=[5, 4]), dtype=tf.float32)
w2 = tf.Variable(random.normal(size=[4, 3]), dtype=tf.float32)
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        h = tf.nn.softplus(x @ w1)
        loss = tf.reduce_mean((h @ w2) ** 2)
    g = t1.gradient(loss, w1)
h = t2.jacobian(g, w1)
n_params = tf.reduce_prod(w1.shape)
g_vec = tf.reshape(g, [n_params, 1])
h_mat = tf.reshape(h, [n_params, n_params])
print(h.shape, n_params.numpy(), h_mat.shape)
eye = tf.eye(h_mat.shape[0]) * 1e-1
step = tf.linalg.solve(h_mat + eye, g_vec)
print(np.round(tf.reshape(step, w1.shape).numpy(), 2))
w1.assign_sub(tf.reshape(step, w1.shape))
print(float(tf.reduce_mean((tf.nn.softplus(x @ w1) @ w2) ** 2)) < float(loss))
print(tape.jacobian(tf.constant(1.0), x))
