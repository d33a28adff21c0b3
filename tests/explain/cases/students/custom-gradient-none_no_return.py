import tensorflow as tf


@tf.custom_gradient
def gentle_exp(x):
    y = tf.exp(x)

    def grad(upstream):
        upstream * tf.clip_by_value(y, 0.0, 10.0)

    return y, grad


x = tf.Variable([0.5, 3.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(gentle_exp(x))

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, x))
