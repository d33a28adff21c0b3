import numpy as np
import tensorflow as tf


class Frame:
    """Columns by name, as tables have them."""

    def __init__(self, columns):
        self.columns = {name: np.asarray(values) for name, values in columns.items()}

    def __getitem__(self, name):
        return self.columns[name]


beta = tf.Variable([0.5, -0.2])
market = tf.constant([[0.01, 0.03], [0.02, -0.01], [-0.02, 0.02]])
actual = [0.004, 0.011, -0.013]

with tf.GradientTape() as tape:
    predicted = tf.linalg.matvec(market, beta)
    frame = Frame({"predicted": predicted, "actual": actual})
    residual = frame["predicted"] - frame["actual"]
    loss = tf.reduce_mean(tf.square(residual))

print(loss.numpy(), tape.gradient(loss, beta))
