import tensorflow as tf

w = tf.Variable(1.5)

with tf.GradientTape() as early:
    stretched = w * w

with tf.GradientTape() as tape:
    out = stretched * w
    loss = out + 1.0

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, w).numpy())
