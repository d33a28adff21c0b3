import tensorflow as tf

policy, value = tf.Variable([0.3, -0.1]), tf.Variable([0.5, 0.2])
state = tf.constant([1.0, 2.0])
with tf.GradientTape() as actor_tape, tf.GradientTape() as critic_tape:
    estimate = tf.reduce_sum(value * state)
    advantage = 1.5 - estimate
    log_prob = tf.math.log_sigmoid(tf.reduce_sum(policy * state))
    actor_loss = -log_prob * tf.stop_gradient(advantage)
    critic_loss = advantage**2
actor_grad = actor_tape.gradient(actor_loss, policy)
critic_grad = critic_tape.gradient(critic_loss, value)
print(actor_grad.numpy(), critic_grad.numpy())
