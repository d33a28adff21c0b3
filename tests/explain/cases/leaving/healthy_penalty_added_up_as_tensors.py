import tensorflow as tf


class Smooth(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.layers_of_mine = [tf.keras.layers.Dense(2, use_bias=False) for _ in range(2)]

    def call(self, x):
        activity = 0.0
        largest = 0.0
        for layer in self.layers_of_mine:
            x = layer(x)
            activity += tf.reduce_sum(x**2)
            largest = max(largest, float(tf.reduce_max(x)))
        self.largest = largest
        return x, activity


tf.keras.utils.set_random_seed(12)
model = Smooth()
with tf.GradientTape() as tape:
    out, activity = model(tf.constant([[1.0, -1.0]]))
    loss = tf.reduce_mean((out - 2.0) ** 2) + 0.01 * activity
grads = tape.gradient(loss, model.trainable_variables)
print(float(loss), model.largest, [g.numpy().tolist() for g in grads])
