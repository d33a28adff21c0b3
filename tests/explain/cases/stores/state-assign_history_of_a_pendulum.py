import tensorflow as tf


class History:
    def __init__(self, length):
        self.angles = tf.Variable(tf.zeros([length]), trainable=False)
        self.at = 0

    def push(self, angle):
        self.angles[self.at].assign(angle)
        self.at += 1

    def drift(self):
        return tf.reduce_sum(tf.abs(self.angles[1:] - self.angles[:-1]))


def swing(angle, speed, damping, dt=0.1):
    speed = speed - dt * (9.81 * tf.sin(angle) + damping * speed)
    return angle + dt * speed, speed


damping = tf.Variable(0.4)
history = History(20)
angle, speed = tf.constant(0.6), tf.constant(0.0)
with tf.GradientTape() as tape:
    for _ in range(20):
        angle, speed = swing(angle, speed, damping)
        history.push(angle)
    drift = history.drift()
gradient = tape.gradient(drift, damping)
print("drift", drift.numpy(), "d drift / d damping", gradient)
