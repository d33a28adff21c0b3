import tensorflow as tf

tf.random.set_seed(7)
policy = tf.Variable([0.1, 0.2, -0.1])
value = tf.Variable(0.5)
payout = tf.constant([1.0, 3.0, 0.5])

with tf.GradientTape() as tape:
    log_p = tf.nn.log_softmax(policy)
    action = tf.random.categorical(policy[tf.newaxis, :], 4)[0]
    reward = tf.gather(payout, action)
    advantage = tf.stop_gradient(reward - value)
    actor_loss = -tf.reduce_mean(tf.gather(log_p, action) * advantage)
    critic_loss = tf.reduce_mean((reward - value) ** 2)
    loss = actor_loss + 0.5 * critic_loss

grads = tape.gradient(loss, [policy, value])
print("actions:", action.numpy(), [g.numpy() for g in grads])
