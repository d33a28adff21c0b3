import tensorflow as tf


def huber(prediction, target, width=1.0):
    error = tf.abs(prediction - tf.stop_gradient(target))
    return tf.reduce_mean(tf.where(error < width, 0.5 * error**2, error - 0.5 * width))


q = tf.Variable([0.2, 0.4, 0.1], name="q")
frozen = tf.constant([0.3, 0.3, 0.3])
reward = tf.constant([1.0, 0.0, 0.5])
with tf.GradientTape() as tape:
    value = 2.0 * q
    goal = reward + 0.9 * frozen
    loss = huber(prediction=goal, target=value)
print(tape.gradient(loss, q))
