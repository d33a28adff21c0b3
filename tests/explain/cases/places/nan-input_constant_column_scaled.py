import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)


def standardised(columns):
    with np.errstate(invalid="ignore"):
        return (columns - columns.mean(axis=0)) / columns.std(axis=0)


raw = np.stack([rng.normal(size=20), np.full(20, 7.0), rng.uniform(size=20)], axis=1)
y = raw[:, :1].astype("float32")
x = standardised(raw).astype("float32")
w = tf.Variable(tf.zeros((3, 1)))

for rows, goal in tf.data.Dataset.from_tensor_slices((x, y)).batch(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((rows @ w - goal) ** 2)
    print(tape.gradient(loss, w).numpy().ravel())
