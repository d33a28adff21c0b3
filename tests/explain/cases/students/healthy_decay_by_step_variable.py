import tensorflow as tf

step = tf.Variable(0, trainable=False, dtype=tf.int64)
w = tf.Variable([2.0, -1.0])

while int(step) < 4:
    beta = min(1.0, float(step) / 3.0 + 0.1)
    with tf.GradientTape() as tape:
        fit = tf.reduce_sum((w - [1.0, 1.0]) ** 2)
        loss = fit + beta * tf.reduce_sum(tf.abs(w))
        anneal = tf.cast(step, tf.float32) * 0.1
        loss = loss * (1.0 + anneal)
    w.assign_sub(0.05 * 0.9 ** float(step) * tape.gradient(loss, w))
    step.assign_add(1)
print(w.numpy(), step.numpy())
