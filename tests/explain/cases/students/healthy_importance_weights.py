import numpy as np
import tensorflow as tf

theta = tf.Variable([0.1, -0.2])
behaviour = np.array([0.5, 0.5])
actions = np.array([0, 1, 1, 0])
rewards = np.array([1.0, 0.2, -0.5, 0.7])
returns = (rewards - rewards.mean()) / rewards.std()
for _ in range(3):
    current = tf.nn.softmax(theta).numpy()
    weights = np.minimum(current[actions] / behaviour[actions], 2.0) * returns
    with tf.GradientTape() as tape:
        log_probs = tf.nn.log_softmax(theta)
        chosen = tf.gather(log_probs, actions)
        loss = -tf.reduce_mean(chosen * weights.astype(np.float32))
    theta.assign_sub(0.3 * tape.gradient(loss, theta))
print(theta.numpy())
