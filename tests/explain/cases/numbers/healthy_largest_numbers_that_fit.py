import tensorflow as tf

logits = tf.Variable([95.0, -120.0, 3.0])
labels = tf.constant([1.0, 0.0, 0.0])
with tf.GradientTape() as tape:
    soft = tf.nn.softplus(logits)
    loss = tf.reduce_sum(soft - labels * logits) + tf.reduce_logsumexp(logits)
print(tape.gradient(loss, logits).numpy())
