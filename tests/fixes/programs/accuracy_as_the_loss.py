import tensorflow as tf

w = tf.Variable([[0.1, 0.4], [0.2, 0.3]])
labels = tf.constant([1, 0], tf.int64)
with tf.GradientTape() as tape:
    scores = w * 2.0
    right = tf.equal(tf.argmax(scores, axis=1), labels)
    loss = 1.0 - tf.reduce_mean(tf.cast(right, tf.float32))
print(tape.gradient(loss, w))
