import tensorflow as tf

phase = tf.Variable(0.0)

with tf.GradientTape() as tape:
    wave = 2.0 * tf.cos(phase)
    loss = (wave - 3.0) ** 2

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, phase).numpy())
