import tensorflow as tf


def f(v):
    return tf.reduce_sum(v**4 - 2.0 * v**2 + 0.3 * v)


x = tf.Variable([1.5, -0.4])
for _ in range(3):
    with tf.GradientTape() as tape:
        y = f(x)
    direction = -tape.gradient(y, x)
    size = 1.0
    while float(f(x + size * direction)) > float(y) and size > 1e-4:
        size *= 0.5
    x.assign_add(size * direction)
    print("y:", float(y), "step size:", size)
