import numpy as np
import tensorflow as tf

W = tf.Variable(np.array([[4.0], [3.0]], "float32"), name="W")
b = tf.Variable([1.0], name="b")
X = np.array([[1.0, 2.0], [2.0, 0.5], [0.5, 1.5]], "float32")
Y = np.array([[0.0], [1.0], [0.0]], "float32")
loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)

with tf.GradientTape() as tape:
    logit = X @ W + b
    loss = loss_fn(Y, logit)
gw, gb = tape.gradient(loss, [W, b])
print(loss.numpy(), gw.numpy().ravel(), gb.numpy())
