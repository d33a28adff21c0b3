import tensorflow as tf

tf.random.set_seed(4)
words = tf.random.normal([2, 5, 3])
query = tf.Variable([[0.3], [-0.2], [0.5]])
with tf.GradientTape() as tape:
    scores = tf.matmul(words, tf.tile(query[None], [2, 1, 1]))
    weights = tf.nn.softmax(scores, axis=-1)
    summary = tf.reduce_sum(weights * words, axis=1)
    loss = tf.reduce_sum(tf.square(summary))
print(tape.gradient(loss, query))
