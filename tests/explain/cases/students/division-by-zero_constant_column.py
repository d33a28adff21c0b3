import tensorflow as tf

data = tf.constant([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
w = tf.Variable([0.5, 0.5])


def standardise(x):
    mean = tf.reduce_mean(x, axis=0)
    spread = tf.math.reduce_std(x, axis=0)
    return (x - mean) / spread


with tf.GradientTape() as tape:
    score = tf.linalg.matvec(standardise(data), w)
    loss = tf.reduce_mean((score - 1.0) ** 2)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, w).numpy())
