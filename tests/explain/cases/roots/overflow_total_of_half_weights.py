import tensorflow as tf


class Attention(tf.Module):
    def __init__(self):
        self.query = tf.Variable([[3.0, -1.0], [2.5, 0.5]], dtype=tf.float16)
        self.key = tf.constant([[4.0, 0.5], [-1.0, 2.0]], dtype=tf.float16)

    def __call__(self):
        scores = tf.matmul(self.query, self.key, transpose_b=True)
        weights = tf.exp(scores)
        total = tf.reduce_sum(weights, axis=1, keepdims=True)
        normalizer = 1.0 / total
        log_probability = tf.math.log(normalizer)
        return scores + log_probability


attention = Attention()
with tf.GradientTape() as tape:
    log_p = attention()
    loss = -tf.reduce_mean(tf.linalg.diag_part(log_p))
grads = tape.gradient(loss, attention.trainable_variables)
print(loss, grads)
