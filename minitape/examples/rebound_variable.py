"""Lost: from the second step on, `w` is a tensor instead of the variable."""

import tensorflow as tf

w = tf.Variable(1.0)

for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.square(w - 4.0)
    slope = tape.gradient(loss, w)
    print("step", step, "slope", slope)
    if slope is not None:
        w = w - 0.1 * slope
