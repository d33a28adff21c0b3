import tensorflow as tf

coeffs = [2, -3, 1]
x = tf.constant(4)


def poly(t):
    acc = 0
    for cf in coeffs:
        acc = acc * t + cf
    return acc


with tf.GradientTape() as tape:
    tape.watch(x)
    y = poly(x)
print(y.numpy(), tape.gradient(y, x))
