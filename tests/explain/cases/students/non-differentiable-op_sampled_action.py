import tensorflow as tf

tf.random.set_seed(11)
preferences = tf.Variable([[0.2, 0.5, 0.3]])
payout = tf.constant([1.0, 3.0, 2.0])

with tf.GradientTape() as tape:
    rewards = []
    for episode in range(3):
        action = tf.random.categorical(preferences, num_samples=1)
        rewards.append(tf.gather(payout, action[0, 0]))
    objective = -tf.reduce_mean(tf.stack(rewards))

print("objective:", objective.numpy(), tape.gradient(objective, preferences))
