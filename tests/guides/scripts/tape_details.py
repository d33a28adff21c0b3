"""Corners of the tape: structures, seeds, identity, order of use, dtypes, keep and let go."""

import numpy as np
import tensorflow as tf

x = tf.Variable([1.0, 2.0])
y = tf.Variable(3.0, dtype=tf.float64)
with tf.GradientTape(persistent=True) as tape:
    z = x * x
    pair = (z, {"sum": tf.reduce_sum(z)})
    wide = tf.cast(x, tf.float64) * y
print(tape.gradient(pair, x))
print(tape.gradient(z, {"x": x, "more": (y, [x])}))
print(tape.gradient(wide, [x, y]))
print(tape.gradient(z, x, output_gradients=tf.constant([1.0, 10.0])))
print(tape.gradient([z, wide], x, output_gradients=[tf.ones([2]), tf.ones([2], tf.float64)]))
print(tape.gradient(z, z), tape.gradient(x, x), tape.gradient(x, y))
print(tape.gradient(z, []), tape.gradient([], [x]))

tape = tf.GradientTape(persistent=True)
with tape:
    tape.watch(tf.constant(1.0))
    a = x * 2.0
with tape:
    b = a * 3.0
print(tape.gradient(b, x), tape.gradient(b, a))

with tf.GradientTape(persistent=True) as tape:
    a = x * 2.0
    inside = tape.gradient(a, x)
    with tape.stop_recording():
        quiet = tape.gradient(a, x)
    c = a * inside
print(inside, quiet, tape.gradient(c, x))

with tf.GradientTape() as tape:
    tape.watch(x)
    same = tf.identity(x)
    copy = tf.convert_to_tensor(x)
print(tape.gradient([same, copy], x), same is x, len(tape.watched_variables()))

with tf.GradientTape() as tape:
    i = tf.gather(x, [1, 1, 0])
    j = tf.where(x > 1.5, x, tf.zeros_like(x))
    k = tf.maximum(x, 1.0) + tf.minimum(x, 2.0) + tf.abs(x - 1.0)
    m = tf.reduce_max(tf.stack([x, x]))
    total = tf.reduce_sum(i) + tf.reduce_sum(j) + tf.reduce_sum(k) + m
g = tape.gradient(total, x)
print(type(g).__name__ == "IndexedSlices", tf.convert_to_tensor(g).numpy())

c = tf.Variable(1.0 + 2.0j)
with tf.GradientTape() as tape:
    size = tf.abs(c) ** 2
print(tape.gradient(size, c))
with tf.GradientTape() as tape:
    bad = tf.where(x > 1.0, tf.sqrt(x - 1.0), 0.0)
print(tape.gradient(bad, x))
for name, f in {"sqrt": tf.sqrt, "log": tf.math.log, "relu": tf.nn.relu, "norm": tf.norm, "xlogy": lambda t: tf.math.xlogy(t, t)}.items():
    zero = tf.constant([0.0, 0.0])
    with tf.GradientTape() as tape:
        tape.watch(zero)
        out = f(zero)
    print(name, out.numpy(), tape.gradient(out, zero).numpy())
with tf.GradientTape() as tape:
    n = np.float32(2.0) * x + np.array([1.0, 2.0], np.float32)
print(type(n).__name__.endswith("Tensor"), tape.gradient(n, x))
