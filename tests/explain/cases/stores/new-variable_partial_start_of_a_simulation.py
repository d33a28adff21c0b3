import tensorflow as tf


class Tank:
    def __init__(self, level, leak):
        self.level = tf.Variable(level)
        self.leak = leak

    def run(self, steps):
        level = self.level
        for _ in range(steps):
            level = level - self.leak * level
        return level


push = tf.Variable(0.7, name="push")
with tf.GradientTape() as tape:
    filled = 2.0 * tf.sigmoid(push)
    tank = Tank(filled, leak=0.1)
    missed = (tank.run(3) - 0.5) ** 2
    cost = missed + 0.1 * push**2
print(float(cost), tape.gradient(cost, push))
