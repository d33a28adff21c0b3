import tensorflow as tf

start = tf.Variable([[0.1, -0.1]], name="start")
w = tf.Variable([[0.5, 0.1], [-0.2, 0.4]], name="w")
words = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])

state = start
for word in words:
    with tf.GradientTape() as tape:
        state = tf.tanh(tf.matmul(state, w) + word)
        loss = tf.reduce_sum(state**2)
    grads = tape.gradient(loss, start)
    print(grads)
