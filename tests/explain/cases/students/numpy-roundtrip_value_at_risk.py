from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class Portfolio:
    shares: tf.Variable
    returns: tf.Tensor

    def value(self):
        return tf.linalg.matvec(self.returns, self.shares)

    def risk(self, level=0.25):
        return -np.quantile(self.value(), level)


returns = tf.constant([[0.02, -0.01], [-0.03, 0.04], [0.01, 0.02], [-0.02, -0.05]])
book = Portfolio(tf.Variable([0.6, 0.4]), returns)
with tf.GradientTape() as tape:
    cost = tf.convert_to_tensor(book.risk(), dtype=tf.float32)
sensitivity = tape.gradient(cost, book.shares)
print("value at risk:", cost.numpy(), "sensitivity:", sensitivity)
