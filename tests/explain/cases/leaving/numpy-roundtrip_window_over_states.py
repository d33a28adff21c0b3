from collections import deque

import tensorflow as tf

decay = tf.Variable(0.8, name="decay")
drive = tf.Variable(0.3, name="drive")
signal = tf.constant([0.1, 0.9, -0.4, 0.7, 0.2, -0.3])
wanted = tf.constant([0.2, 0.1, 0.3, 0.2])

window = deque(maxlen=4)
with tf.GradientTape() as tape:
    state = tf.constant([0.0])
    for value in signal:
        state = decay * state + drive * value
        window.append(state.numpy())
    recent = tf.concat(list(window), axis=0)
    loss = tf.reduce_sum((recent - wanted) ** 2)

print(tape.gradient(loss, [decay, drive]))
