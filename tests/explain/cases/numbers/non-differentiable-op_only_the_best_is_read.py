import tensorflow as tf

tf.random.set_seed(5)
query = tf.Variable(tf.random.normal((4,)))
keys, values = tf.random.normal((5, 4)), tf.random.normal((5, 2))
with tf.GradientTape() as tape:
    scores = tf.linalg.matvec(keys, query)
    best = tf.reduce_max(scores, axis=-1, keepdims=True)
    weights = tf.cast(scores >= best, tf.float32)
    read = tf.reduce_sum(weights[:, None] * values, axis=0)
    loss = tf.reduce_sum(tf.square(read - 1.0))
print(tape.gradient(loss, query))
