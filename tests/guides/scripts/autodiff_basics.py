"""Gradients of scalars, vectors and structures; what a tape watches and what it does not."""

import numpy as np
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x**2
dy_dx = tape.gradient(y, x)
print("dy/dx at 3:", dy_dx.numpy())

random = np.random.default_rng(0)
w = tf.Variable(random.normal(size=(3, 2)).astype(np.float32), name="w")
b = tf.Variable(tf.zeros(2, dtype=tf.float32), name="b")
data = [[1.0, 2.0, 3.0]]
with tf.GradientTape(persistent=True) as tape:
    y = data @ w + b
    loss = tf.reduce_mean(y**2)
[dl_dw, dl_db] = tape.gradient(loss, [w, b])
print(w.shape, dl_dw.shape)
print(dl_dw)
named = tape.gradient(loss, {"w": w, "b": b})
print(sorted(named), named["b"])
del tape

variable = tf.Variable(3.0, name="x0")
frozen = tf.Variable(3.0, name="x1", trainable=False)
tensor = tf.Variable(2.0, name="x2") + 1.0
constant = tf.constant(3.0, name="x3")
with tf.GradientTape() as tape:
    y = (variable**2) + (frozen**2) + (tensor**2)
grads = tape.gradient(y, [variable, frozen, tensor, constant])
for g in grads:
    print(g)
print([var.name for var in tape.watched_variables()])

x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x**2
print(tape.gradient(y, x).numpy())

x0, x1 = tf.Variable(0.0), tf.Variable(10.0)
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(x1)
    y0 = tf.math.sin(x0)
    y1 = tf.nn.softplus(x1)
    ys = tf.reduce_sum(y0 + y1)
grad = tape.gradient(ys, {"x0": x0, "x1": x1})
print("dy/dx0:", grad["x0"])
print("dy/dx1:", grad["x1"].numpy())

x = tf.constant([1, 3.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    z = y * y
print(tape.gradient(z, x).numpy())
print(tape.gradient(y, x).numpy())
print(tape.gradient(z, y).numpy())
