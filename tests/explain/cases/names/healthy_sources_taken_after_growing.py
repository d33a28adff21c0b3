import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(19)


class Growing:
    def __init__(self, width):
        self.build(width)

    def build(self, width):
        self.model = tf.keras.Sequential(
            [tf.keras.Input((2,)), tf.keras.layers.Dense(width, activation="tanh"), tf.keras.layers.Dense(1)]
        )
        self.params = self.model.trainable_variables

    def widen(self):
        old = self.model.get_weights()
        self.build(old[1].size + 1)
        fresh = self.model.get_weights()
        fresh[0][:, : old[1].size] = old[0]
        self.model.set_weights(fresh)

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.model(x) - y) ** 2)
        grads = tape.gradient(loss, self.params)
        for weight, grad in zip(self.params, grads):
            weight.assign_sub(0.05 * grad)
        return float(loss)


rng = np.random.default_rng(19)
x = rng.uniform(-1.0, 1.0, (16, 2)).astype("float32")
y = x[:, :1] * x[:, 1:] + 0.3
growing = Growing(3)
for epoch in range(3):
    print(growing.step(x, y))
    growing.widen()
