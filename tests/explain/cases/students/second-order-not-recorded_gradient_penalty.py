import tensorflow as tf

tf.random.set_seed(4)
w = tf.Variable([[0.7], [-0.2]])
x = tf.random.normal([3, 2])

with tf.GradientTape() as inner:
    inner.watch(x)
    score = tf.reduce_sum(tf.tanh(x @ w))
slopes = inner.gradient(score, x)

with tf.GradientTape() as tape:
    size = tf.sqrt(tf.reduce_sum(slopes**2, axis=1))
    penalty = tf.reduce_mean((size - 1.0) ** 2)

print("penalty:", penalty.numpy(), "grad:", tape.gradient(penalty, w))
