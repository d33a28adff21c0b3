import numpy as np
import tensorflow as tf

weight = tf.Variable(3.0)
x = np.arange(6, dtype=np.float32)
data = tf.data.Dataset.from_tensor_slices((x, 2 * x))
data = data.map(lambda x, y: (x / 10.0, y)).shuffle(6, seed=1).batch(2).prefetch(tf.data.AUTOTUNE)

for epoch in range(2):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((weight * x - y) ** 2)
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
print(weight.numpy())
