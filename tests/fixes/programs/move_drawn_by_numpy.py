import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
scores = tf.Variable([[0.1, 0.4, -0.2]])
with tf.GradientTape() as tape:
    chances = tf.nn.softmax(scores)
    p = chances.numpy()[0].astype("float64")
    move = rng.choice(3, p=p / p.sum())
    loss = tf.constant(-np.log(p[move]), tf.float32) * 2.0
print(tape.gradient(loss, scores))
