import numpy as np
import tensorflow as tf

mix = tf.Variable(0.6)
state = np.zeros(2, dtype=np.float32)
series = np.array([[1.0, 0.5], [0.3, 0.9], [0.7, 0.1]], dtype=np.float32)

for x in series:
    with tf.GradientTape() as tape:
        new_state = tf.tanh(mix * state + x)
        loss = tf.reduce_mean(mix * (new_state - 0.5) ** 2)
    mix.assign_sub(0.1 * tape.gradient(loss, mix))
    state = new_state.numpy()
print("mix:", mix.numpy(), "state:", state)
