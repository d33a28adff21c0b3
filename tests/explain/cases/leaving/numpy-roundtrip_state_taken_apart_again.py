import numpy as np
import tensorflow as tf

damping = tf.Variable(0.2)
stiffness = tf.Variable(3.0)
dt = 0.05


def step(state):
    position, velocity = state
    force = -stiffness * position - damping * velocity
    return np.array([position + dt * velocity, velocity + dt * force])


with tf.GradientTape() as tape:
    state = np.array([1.0, 0.0], dtype=np.float32)
    for _ in range(4):
        state = step(state)
    miss = tf.square(tf.constant(state[0]) - 0.5)

gradients = tape.gradient(miss, [damping, stiffness])
print("miss:", miss.numpy(), "gradients:", gradients)
