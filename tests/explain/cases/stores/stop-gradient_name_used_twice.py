import tensorflow as tf

actor = tf.Variable([0.3, -0.2], name="actor")
critic = tf.Variable([0.1, 0.4], name="critic")
state = tf.constant([1.0, 0.5])
reward = 0.7

with tf.GradientTape(persistent=True) as tape:
    value = tf.stop_gradient(tf.reduce_sum(critic * state))
    action = tf.tanh(tf.reduce_sum(actor * state))
    actor_loss = -(reward - value) * action
    critic_loss = (reward - value) ** 2

print("actor", tape.gradient(actor_loss, actor))
print("critic", tape.gradient(critic_loss, critic))
