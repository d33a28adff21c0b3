import tensorflow as tf

weights = tf.Variable([0.25, 0.25, 0.25, 0.25])
values = tf.constant([1000.1, 1000.1, 1000.2, 1000.1])


def deviation(p, x):
    mean = tf.reduce_sum(p * x)
    return tf.sqrt(tf.reduce_sum(p * x**2) - mean**2 - 0.25)


with tf.GradientTape() as tape:
    risk = deviation(weights, values)
print(risk.numpy(), tape.gradient(risk, weights).numpy())
