import numpy as np
import tensorflow as tf

rng = np.random.default_rng(30)
square_metres = rng.uniform(4_000, 16_000, size=[40, 1]).astype(np.float32)
price = 3.0 * square_metres + 500.0
w = tf.Variable([[0.1]])
b = tf.Variable([0.1])
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(square_metres @ w + b - price))
        loss = tf.reduce_mean(tf.square(square_metres @ w + b - price))
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.01 * dw)
    b.assign_sub(0.01 * db)
