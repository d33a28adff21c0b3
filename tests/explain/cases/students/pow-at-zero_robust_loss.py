import tensorflow as tf


def robust(errors, exponent):
    return tf.add_n([tf.pow(tf.abs(e), exponent) for e in errors])


a = tf.Variable(1.0)
b = tf.Variable(1.0)
seen = ((1.0, 2.0), (2.0, 2.5), (3.0, 4.5))
with tf.GradientTape() as tape:
    loss = robust([a * x + b - y for x, y in seen], exponent=0.7)

print("loss:", loss.numpy(), tape.gradient(loss, {"a": a, "b": b}))
