import tensorflow as tf


class Trainer:
    def __init__(self, gain, delay):
        self.gain = gain
        self.delay = delay

    def step(self, signal):
        with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
            echo = self.gain * tf.cos(signal - self.delay)
            power = tf.reduce_sum(echo * echo)
        return tape.gradient(power, {"gain": self.gain, "delay": self.delay})


trainer = Trainer(gain=tf.Variable(0.7), delay=tf.Variable(0.1))
for chunk in ([0.1, 0.2], [0.4, 0.9]):
    print(trainer.step(tf.constant(chunk)))
