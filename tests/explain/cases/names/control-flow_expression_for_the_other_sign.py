import tensorflow as tf

parameters = {"scale": tf.Variable(2.0), "leak": tf.Variable(0.1)}


def activation(x):
    slope = 1.0 if x > 0 else parameters["leak"]
    return parameters["scale"] * slope * x


with tf.GradientTape() as tape:
    total = tf.add_n([activation(x) for x in tf.constant([0.5, 1.5, 0.2])])
print(tape.gradient(total, list(parameters.values())))
