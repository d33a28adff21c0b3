import tensorflow as tf


class Regularised(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable([[1.0, -2.0]], name="kernel")
        self.gate = tf.Variable([[0.5, 0.25]], name="gate")
        self.penalties = [lambda weight=weight: tf.reduce_sum(weight**2) for weight in (self.kernel, self.gate)]


model = Regularised()
with tf.GradientTape() as tape:
    loss = tf.add_n([penalty() for penalty in model.penalties])
    for extra in []:
        loss += extra(model)
print(tape.gradient(loss, [model.kernel, model.gate]))
