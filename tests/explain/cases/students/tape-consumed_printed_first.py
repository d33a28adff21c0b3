import tensorflow as tf


def report(tape, loss, w):
    print("gradient is now", tape.gradient(loss, w).numpy())


w = tf.Variable(4.0)
with tf.GradientTape() as tape:
    loss = tf.sqrt(w) * w
report(tape, loss, w)
w.assign_sub(0.1 * tape.gradient(loss, w))
