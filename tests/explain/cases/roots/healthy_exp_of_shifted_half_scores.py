import tensorflow as tf

scores = tf.Variable([12.0, 3.0, 1.0], dtype=tf.float16)
labels = tf.constant([1.0, 0.0, 0.0], dtype=tf.float16)
with tf.GradientTape() as tape:
    e = tf.exp(scores - tf.reduce_max(scores))
    p = e / tf.reduce_sum(e)
    loss = -tf.reduce_sum(labels * tf.math.log(p))
print(tape.gradient(loss, scores))
