import tensorflow as tf


class Newton:
    def __init__(self, f, start):
        self.f = f
        self.x = tf.Variable(start)

    def step(self):
        with tf.GradientTape() as bend_tape:
            with tf.GradientTape() as slope_tape:
                y = self.f(self.x)
        slope = slope_tape.gradient(y, self.x)
        bend = bend_tape.gradient(slope, self.x)
        self.x.assign_sub(slope / bend)
        return y


solver = Newton(lambda x: x**4 - 3.0 * x, start=1.0)
for _ in range(3):
    print(solver.step().numpy())
