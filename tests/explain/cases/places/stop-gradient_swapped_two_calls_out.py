import tensorflow as tf


def pull(moving, fixed):
    return tf.reduce_mean((moving - tf.stop_gradient(fixed)) ** 2)


def consistency(student, teacher):
    return pull(student, teacher)


w = tf.Variable([[0.4, -0.2], [0.3, 0.9]], name="w")
mean_w = tf.constant([[0.5, 0.0], [0.2, 0.7]])
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
with tf.GradientTape() as tape:
    guess = tf.tanh(x @ w)
    goal = tf.tanh(x @ mean_w)
    loss = consistency(goal, guess)
print(tape.gradient(loss, w))
