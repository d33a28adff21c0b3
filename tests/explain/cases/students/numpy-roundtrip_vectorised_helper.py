import numpy as np
import tensorflow as tf

limit = 2.0
cap = np.vectorize(lambda value: min(value, limit), otypes=[np.float32])

load = tf.Variable([1.0, 2.5, 4.0])
with tf.GradientTape() as tape:
    capped = cap(load * 0.9)
    wear = tf.reduce_sum(capped**3)

print("wear:", wear.numpy(), "grad:", tape.gradient(wear, load))
