import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(4)


class Gate(keras.Model):
    def __init__(self):
        super().__init__()
        self.score = keras.layers.Dense(1, kernel_initializer="ones", name="score")
        self.squash = keras.layers.Activation("sigmoid")

    def call(self, income):
        return self.squash(self.score(income))


gate = Gate()
income = tf.constant([[42000.0], [58000.0], [31000.0]])
paid_back = tf.constant([[1.0], [1.0], [0.0]])
with tf.GradientTape() as tape:
    chance = gate(income)
    loss = tf.reduce_mean((chance - paid_back) ** 2)
print(tape.gradient(loss, gate.trainable_variables))
