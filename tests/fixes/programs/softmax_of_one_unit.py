import tensorflow as tf

w = tf.Variable([[0.5], [0.2]])
x = tf.constant([[1.0, 2.0], [3.0, -1.0]])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(x @ w)
    loss = tf.reduce_sum((p - 0.3) ** 2)
print(tape.gradient(loss, w))
