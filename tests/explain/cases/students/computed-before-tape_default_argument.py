import tensorflow as tf

w = tf.Variable([0.6, -0.8, 0.1])


def penalised(fit, penalty=0.5 * tf.norm(w)):
    return fit + penalty


with tf.GradientTape() as tape:
    loss = penalised(tf.constant(2.0))

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, w))
