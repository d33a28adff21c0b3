import tensorflow as tf

center = tf.Variable([0.5, -1.0])
seen = tf.constant([1.0, 2.0])


def objective():
    fit = -0.5 * tf.reduce_sum((seen - center) ** 2)
    divergence = float(0.5 * tf.reduce_sum(center**2))
    return divergence - fit


with tf.GradientTape() as tape:
    loss = objective()
gradient = tape.gradient(loss, center)
print(gradient)
