import tensorflow as tf

logits = tf.Variable([[0.1, 0.8], [0.4, -0.3]])
labels = tf.constant([-1, -1])

with tf.GradientTape() as tape:
    truth = tf.one_hot(labels, depth=2)
    log_p = tf.nn.log_softmax(logits)
    loss = -tf.reduce_sum(truth * log_p)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, logits).numpy())
