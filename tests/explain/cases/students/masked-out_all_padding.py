import tensorflow as tf

embedding = tf.Variable([[0.1, 0.2], [0.3, -0.4], [0.7, 0.5]])
tokens = tf.constant([0, 0, 0])

with tf.GradientTape() as tape:
    vectors = tf.gather(embedding, tokens)
    keep = tf.cast(tf.not_equal(tokens, 0), tf.float32)
    sentence = tf.reduce_sum(vectors * keep[:, tf.newaxis], axis=0)
    loss = tf.reduce_sum((sentence - 1.0) ** 2)

grad = tape.gradient(loss, embedding)
print(tf.convert_to_tensor(grad).numpy())
