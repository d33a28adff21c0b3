import tensorflow as tf


def make_model(columns):
    return tf.keras.Sequential(
        [
            tf.keras.Input((columns,)),
            tf.keras.layers.Dense(8, activation="tanh"),
            tf.keras.layers.Dense(1),
        ]
    )


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def loss(self, x, y):
        return tf.reduce_mean(tf.abs(self.model(x)[:, 0] - y))

    def apply(self, grads):
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
