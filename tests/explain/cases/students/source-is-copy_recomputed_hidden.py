import tensorflow as tf

w = tf.Variable([[0.4, -0.6], [0.2, 0.9]])
v = tf.Variable([[1.0], [-0.5]])


def hidden(x):
    return tf.nn.tanh(tf.matmul(x, w))


x = tf.constant([[1.0, 2.0]])
with tf.GradientTape() as tape:
    h = hidden(x)
    out = tf.reduce_sum(tf.matmul(h, v))

blame = tape.gradient(out, hidden(x))
print("out:", out.numpy(), "blame:", blame)
