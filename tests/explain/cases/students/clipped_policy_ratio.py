import tensorflow as tf

logits = tf.Variable([2.0, 0.0])
old_log_probs = tf.constant([-1.6, -0.2])


def surrogate(log_probs, advantage):
    ratio = tf.exp(log_probs - old_log_probs)
    return tf.clip_by_value(ratio, 0.8, 1.2) * advantage


advantage = tf.constant([1.0, -0.5])
with tf.GradientTape() as tape:
    log_probs = tf.nn.log_softmax(logits)
    loss = -tf.reduce_mean(surrogate(log_probs, advantage))
print("ratio slopes:", tape.gradient(loss, logits).numpy())
