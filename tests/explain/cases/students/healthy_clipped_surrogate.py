import tensorflow as tf

logits = tf.Variable([0.2, -0.1, 0.4])
actions = tf.constant([0, 2, 1, 2])
advantage = tf.constant([1.0, -0.4, 0.3, 0.8])
old = None
for epoch in range(3):
    with tf.GradientTape() as tape:
        log_probs = tf.gather(tf.nn.log_softmax(logits), actions)
        if old is None:
            old = log_probs.numpy()
        ratio = tf.exp(log_probs - old)
        limited = tf.clip_by_value(ratio, 0.9, 1.1)
        loss = -tf.reduce_mean(tf.minimum(ratio * advantage, limited * advantage))
    grad = tape.gradient(loss, logits)
    logits.assign_sub(0.5 * grad)
    print(epoch, float(loss), float(tf.reduce_max(ratio)))
