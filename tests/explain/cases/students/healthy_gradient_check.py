import tensorflow as tf


def f(w):
    return tf.reduce_sum(tf.sin(w) * w**2)


w = tf.Variable([0.5, 1.5])
with tf.GradientTape() as tape:
    y = f(w)
exact = tape.gradient(y, w).numpy()

h, start = 1e-2, w.numpy()
for i in range(2):
    nudge = [h if j == i else 0.0 for j in range(2)]
    w.assign(start + nudge)
    above = float(f(w))
    w.assign(start - nudge)
    below = float(f(w))
    print(i, exact[i], (above - below) / (2 * h))
w.assign(start)
