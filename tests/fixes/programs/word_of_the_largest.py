import tensorflow as tf

tf.keras.utils.set_random_seed(1)
embedding = tf.keras.layers.Embedding(
    3, 2, embeddings_initializer=tf.keras.initializers.RandomNormal(stddev=1.0)
)
embedding(tf.constant([0]))
w = tf.Variable([[0.1, 0.4, 0.2], [0.3, 0.1, 0.2]])
with tf.GradientTape() as tape:
    ids = tf.argmax(w * 2.0, axis=1)
    loss = tf.reduce_sum(embedding(ids) ** 2)
print(tape.gradient(loss, w))
