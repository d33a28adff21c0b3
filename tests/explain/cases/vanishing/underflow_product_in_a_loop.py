import tensorflow as tf

observed = [0.3, 0.5, 0.2, 0.9, 0.4] * 8
centre = tf.Variable(0.0)


def density(x):
    return 0.2 * tf.exp(-((x - centre) ** 2))


with tf.GradientTape() as tape:
    likelihood = tf.constant(1.0)
    for x in observed:
        likelihood = likelihood * density(x)
    objective = -likelihood
print(tape.gradient(objective, centre))
