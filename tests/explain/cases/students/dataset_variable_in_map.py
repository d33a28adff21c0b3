import numpy as np
import tensorflow as tf

scale = tf.Variable(3.0)
bias = tf.Variable(1.0)
readings = np.arange(6, dtype=np.float32)


def prepare(reading):
    return reading * scale


data = tf.data.Dataset.from_tensor_slices(readings).map(prepare).batch(2)

for batch in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((batch + bias) ** 2)
    print(tape.gradient(loss, [scale, bias]))
