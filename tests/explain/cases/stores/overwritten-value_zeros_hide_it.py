import tensorflow as tf

first = tf.Variable(tf.ones([2, 3]), name="first")
second = tf.Variable(tf.ones([2, 3]) * 0.5, name="second")
x = tf.constant([[1.0, -2.0]])

with tf.GradientTape() as tape:
    h = tf.nn.relu(tf.matmul(x, tf.abs(first)) + 3.0)
    h = tf.nn.relu(tf.matmul(x, tf.abs(second)) + 3.0)
    loss = tf.reduce_sum(h)

grads = tape.gradient(loss, [first, second], unconnected_gradients="zero")
print([g.numpy() for g in grads])
