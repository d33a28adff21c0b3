import tensorflow as tf

actor = [tf.Variable([0.1, 0.2])]
critic = [tf.Variable([0.5, -0.5]), tf.Variable(0.0)]
state = tf.constant([1.0, 2.0])


def update(tape, loss, variables):
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.1 * g)


with tf.GradientTape() as tape:
    value = tf.reduce_sum(critic[0] * state) + critic[1]
    actor_loss = -tf.reduce_sum(tf.nn.softmax(actor[0]) * state)
    critic_loss = (value - 1.0) ** 2

update(tape, actor_loss, actor)
update(tape, critic_loss, critic)
