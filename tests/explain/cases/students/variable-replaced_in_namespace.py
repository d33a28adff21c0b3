from types import SimpleNamespace

import tensorflow as tf

state = SimpleNamespace(mass=tf.Variable(1.5), history=[])
for turn in range(2):
    with tf.GradientTape() as tape:
        energy = 0.5 * state.mass * 9.0
    slope = tape.gradient(energy, state.mass)
    state.history.append(float(energy))
    if slope is not None:
        state.mass = tf.maximum(state.mass - 0.1 * slope, 0.1)
print(state.history, slope)
