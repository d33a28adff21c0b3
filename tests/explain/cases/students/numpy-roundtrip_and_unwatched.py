import numpy as np
import tensorflow as tf

dose = tf.constant(0.5)
uptake = tf.Variable(1.3)

with tf.GradientTape() as tape:
    level = dose * uptake
    effect = np.tanh(level)
    loss = tf.square(effect - 0.4)

print("loss:", loss.numpy(), tape.gradient(loss, [dose, uptake]))
