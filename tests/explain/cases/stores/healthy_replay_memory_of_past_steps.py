import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
net = tf.Variable(rng.normal(size=(2, 1)), dtype=tf.float32)
states = tf.Variable(tf.zeros([16, 2]), trainable=False)
rewards = tf.Variable(tf.zeros([16]), trainable=False)

state = tf.constant([0.2, -0.1])
for step in range(16):
    states.scatter_nd_update([[step]], [state])
    rewards[step].assign(tf.reduce_sum(state) * 0.5)
    push = tf.tanh(tf.matmul(state[None], net))[0, 0]
    state = 0.9 * state + 0.1 * push + tf.constant(rng.normal(size=2) * 0.1, tf.float32)
    if step < 4:
        continue
    picked = rng.integers(0, step + 1, size=4)
    with tf.GradientTape() as tape:
        value = tf.squeeze(tf.matmul(tf.gather(states, picked), net), axis=1)
        loss = tf.reduce_mean(tf.square(value - tf.gather(rewards, picked)))
    net.assign_sub(0.1 * tape.gradient(loss, net))
print(net.numpy().ravel())
