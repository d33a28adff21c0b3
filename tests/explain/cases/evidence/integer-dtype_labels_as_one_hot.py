import tensorflow as tf

logits = tf.Variable([[0.2, 0.5, -0.1], [0.7, 0.1, 0.3]])
labels = tf.constant([2, 0])
with tf.GradientTape() as tape:
    tape.watch(labels)
    chances = tf.nn.log_softmax(logits)
    loss = -tf.reduce_mean(tf.reduce_sum(tf.one_hot(labels, 3) * chances, axis=1))
print(tape.gradient(loss, labels))
