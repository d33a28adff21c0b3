import tensorflow as tf


class Chain(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.gain = self.add_weight(shape=(), initializer="ones", name="gain")

    def call(self, x):
        activity = 0.0
        for _ in range(2):
            x = self.gain * x
            activity += float(tf.reduce_sum(x**2))
        return x, activity


model = Chain()
x = tf.constant([[1.0], [2.0]])
y = tf.constant([[0.0], [1.0]])
with tf.GradientTape() as tape:
    out, activity = model(x)
    loss = tf.reduce_mean((out - y) ** 2) + 0.1 * activity

gradient = tape.gradient(loss, model.trainable_variables)
print("loss:", loss.numpy(), "gradient:", gradient[0].numpy())
