import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
table = tf.Variable([[0.1, 0.5], [0.4, 0.2], [0.0, 0.0]])
state, done, returns = 0, False, 0.0

while not done:
    action = int(rng.integers(2)) if rng.random() < 0.3 else int(np.argmax(table[state].numpy()))
    following = min(state + action + 1, 2)
    reward = 1.0 if following == 2 else -0.1
    future = 0.0 if following == 2 else 0.9 * float(tf.reduce_max(table[following]))
    with tf.GradientTape() as tape:
        loss = tf.square(table[state, action] - (reward + future))
    table.assign_sub(0.5 * tf.convert_to_tensor(tape.gradient(loss, table)))
    returns += reward
    state, done = following, following == 2
print("returns:", returns, table.numpy().round(2).tolist())
