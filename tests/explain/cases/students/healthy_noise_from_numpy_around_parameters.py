import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
theta = tf.Variable([0.5, -0.5])


def reward(theta):
    return -tf.reduce_sum((theta - [1.0, 0.0]) ** 2)


for _ in range(2):
    noise = rng.normal(size=2).astype("float32") * 0.1
    candidate = theta.numpy() + noise
    with tf.GradientTape() as tape:
        value = reward(theta)
    better = float(reward(tf.constant(candidate))) > float(value)
    theta.assign(candidate if better else theta + 0.1 * tape.gradient(value, theta))
print(theta.numpy())
