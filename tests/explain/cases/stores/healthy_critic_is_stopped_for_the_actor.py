import tensorflow as tf

actor = tf.Variable([0.3, -0.2], name="actor")
critic = tf.Variable([0.1, 0.4], name="critic")
state = tf.constant([1.0, 0.5])

for step in range(5):
    with tf.GradientTape(persistent=True) as tape:
        value = tf.reduce_sum(critic * state)
        action = tf.tanh(tf.reduce_sum(actor * state))
        reward = 1.0 - (action - 0.8) ** 2
        advantage = reward - tf.stop_gradient(value)
        actor_loss = -advantage * action
        critic_loss = (tf.stop_gradient(reward) - value) ** 2
    both = [actor, critic]
    g1 = tape.gradient(actor_loss, both, unconnected_gradients="zero")
    g2 = tape.gradient(critic_loss, both, unconnected_gradients="zero")
    for v, a, b in zip(both, g1, g2):
        v.assign_sub(0.1 * (a + b))
print(actor.numpy(), critic.numpy())
