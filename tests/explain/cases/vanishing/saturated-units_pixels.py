import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
images = rng.integers(0, 256, size=[32, 64]).astype(np.float32)
labels = rng.integers(0, 2, size=[32, 1]).astype(np.float32)

w = tf.Variable(tf.random.normal([64, 20], seed=1))
b = tf.Variable(tf.zeros([20]))
v = tf.Variable(tf.random.normal([20, 1], seed=2))


def predict(x):
    h = tf.math.sigmoid(tf.matmul(x, w) + b)
    return tf.matmul(h, v)


with tf.GradientTape() as tape:
    logits = predict(images)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, logits))
grads = tape.gradient(loss, [w, b, v])
