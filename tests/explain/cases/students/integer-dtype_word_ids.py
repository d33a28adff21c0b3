import tensorflow as tf

vectors = tf.Variable([[0.1, 0.3], [0.5, -0.2], [-0.4, 0.8]])
words = tf.constant([2, 0, 2])

with tf.GradientTape() as tape:
    tape.watch(words)
    embedded = tf.gather(vectors, words)
    sentiment = tf.sigmoid(tf.reduce_sum(embedded))

influence = tape.gradient(sentiment, words)
print("sentiment:", sentiment.numpy(), "influence of each word:", influence)
