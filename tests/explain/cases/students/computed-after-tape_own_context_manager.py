from contextlib import contextmanager

import tensorflow as tf


@contextmanager
def recording():
    with tf.GradientTape(persistent=True) as tape:
        yield tape


speed = tf.Variable(12.0)
with recording() as tape:
    distance = speed * 1.0 + speed**2 / (2.0 * 7.0)
excess = tf.nn.relu(distance - 20.0)
print("metres too far:", excess.numpy())
print("slope:", tape.gradient(excess, speed))
