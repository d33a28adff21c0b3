import tensorflow as tf

w = tf.Variable([[0.3], [0.6]])
done = tf.constant([1.0, 1.0, 1.0])
rewards = tf.constant([1.0, 0.0, 2.0])
states = tf.constant([[0.1, 1.0], [0.7, 0.2], [0.5, 0.5]])


def bootstrapped(states):
    alive = 1.0 - done
    return rewards + 0.9 * alive * tf.squeeze(states @ w, axis=1)


with tf.GradientTape() as tape:
    value = tf.reduce_mean(bootstrapped(states) ** 2)
print(tape.gradient(value, w))
