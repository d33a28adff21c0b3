import numpy as np
import tensorflow as tf
from growth_parts.model import Growth

seen = np.float32([1.6, 2.5, 3.6, 4.9, 6.2])
growth = Growth(0.5, 10.0)
for _ in range(2):
    with tf.GradientTape() as tape:
        predicted = growth.simulated(tf.constant(1.0), len(seen))
        loss = tf.reduce_mean(tf.square(predicted - seen))
    gradients = tape.gradient(loss, [growth.rate, growth.limit])
    for variable, gradient in zip([growth.rate, growth.limit], gradients):
        if gradient is not None:
            variable.assign_sub(0.01 * gradient)
