import tensorflow as tf

actor = tf.Variable([0.3, -0.2], name="actor")
critic = tf.Variable([0.1, 0.4], name="critic")
state = tf.constant([1.0, 0.5])

with tf.GradientTape(persistent=True) as tape:
    value = tf.reduce_sum(critic * state)
    action = tf.tanh(tf.reduce_sum(actor * state))
    actor_loss = -(0.7 - tf.stop_gradient(value)) * action
    critic_loss = (0.7 - value) ** 2
print(tape.gradient(actor_loss, actor).numpy(), tape.gradient(critic_loss, critic).numpy())
