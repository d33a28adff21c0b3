import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(12)


class Classifier:
    def __init__(self, classes):
        self.classes = classes
        self.body = tf.keras.Sequential(
            [tf.keras.Input((4,)), tf.keras.layers.Dense(5, activation="tanh")]
        )

    @property
    def head(self):
        layer = tf.keras.layers.Dense(self.classes)
        layer.build((None, 5))
        return layer

    def logits(self, x):
        return self.head(self.body(x))


model = Classifier(3)
x = np.random.default_rng(12).normal(size=(9, 4)).astype("float32")
y = np.arange(9) % 3
with tf.GradientTape() as tape:
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(y, model.logits(x))
    loss = tf.reduce_mean(losses)
grads = tape.gradient(loss, model.body.trainable_variables + model.head.trainable_variables)
print([g is None for g in grads])
