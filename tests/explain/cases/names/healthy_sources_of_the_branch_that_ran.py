import tensorflow as tf

parameters = {"scale": tf.Variable(2.0), "leak": tf.Variable(0.1)}


def activation(x):
    slope = 1.0 if x > 0 else parameters["leak"]
    return parameters["scale"] * slope * x


for point in (0.5, -0.5):
    with tf.GradientTape() as tape:
        total = activation(tf.constant(point))
    used = [parameters["scale"]] if point > 0 else list(parameters.values())
    print(tape.gradient(total, used))
