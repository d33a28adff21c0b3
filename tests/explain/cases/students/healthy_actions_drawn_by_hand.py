import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
theta = tf.Variable([0.2, -0.1])
payoff = [1.0, 3.0]
logs, rewards = [], []

with tf.GradientTape() as tape:
    for _ in range(5):
        p = tf.nn.softmax(theta)
        arm = int(rng.uniform() > float(p[0]))
        logs.append(tf.math.log(p[arm]))
        rewards.append(payoff[arm])
    returns = tf.constant(rewards)
    loss = -tf.reduce_mean(tf.stack(logs) * (returns - 1.5))

print("rewards:", rewards, "grad:", tape.gradient(loss, theta).numpy())
