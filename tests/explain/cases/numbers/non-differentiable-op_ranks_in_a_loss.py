import tensorflow as tf

tf.random.set_seed(5)
w = tf.Variable([0.5, -0.3, 0.8])
items = tf.random.normal((6, 3))
wanted = tf.constant([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
with tf.GradientTape() as tape:
    scores = tf.linalg.matvec(items, w)
    order = tf.argsort(scores, axis=-1)
    ranks = tf.cast(tf.argsort(order, axis=-1), tf.float32)
    loss = tf.reduce_mean(tf.square(ranks - wanted))
print(tape.gradient(loss, w))
