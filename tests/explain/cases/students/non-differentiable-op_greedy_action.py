import tensorflow as tf

q_table = tf.Variable([[0.1, 0.5], [0.3, 0.2]])


def greedy(state):
    return tf.argmax(q_table[state])


def rollout(start, steps=3):
    total, state = tf.constant(0.0), start
    for step in range(steps):
        action = greedy(state)
        total += 0.9**step * tf.cast(action, tf.float32)
        state = int(action)
    return total


with tf.GradientTape() as tape:
    reward = rollout(0)
print(tape.gradient(reward, q_table))
