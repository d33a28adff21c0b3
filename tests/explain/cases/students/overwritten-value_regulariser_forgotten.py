import tensorflow as tf

w, smooth = tf.Variable([0.2, 0.4]), tf.Variable(0.3)


def terms():
    total = smooth * tf.reduce_sum(w**2)
    total = tf.reduce_sum((w - 1.0) ** 2)
    return total


with tf.GradientTape() as tape:
    loss = terms()
print(tape.gradient(loss, [w, smooth]))
