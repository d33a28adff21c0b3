import tensorflow as tf


def objective(theta):
    residual = theta * theta - 2.0
    return float(residual * residual)


theta = tf.Variable(1.0)
with tf.GradientTape() as tape:
    loss = objective(theta)

theta.assign_sub(0.1 * tape.gradient(loss, theta))
print(theta.numpy())
