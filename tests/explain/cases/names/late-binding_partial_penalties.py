import tensorflow as tf


class Regularised(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable([[1.0, -2.0]], name="kernel")
        self.gate = tf.Variable([[0.5, 0.25]], name="gate")
        self.penalties = []
        for weight in (self.kernel, self.gate):
            self.penalties.append(lambda: tf.reduce_sum(weight**2))


model = Regularised()
with tf.GradientTape() as tape:
    loss = tf.add_n([penalty() for penalty in model.penalties])
print(tape.gradient(loss, [model.kernel, model.gate]))
