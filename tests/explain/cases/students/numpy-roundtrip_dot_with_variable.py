import numpy as np
import tensorflow as tf

x = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=np.float32)
y = tf.constant([1.0, 2.0, 3.0])
w = tf.Variable([0.1, 0.3])
b = tf.Variable(0.0)

for epoch in range(2):
    with tf.GradientTape() as tape:
        guess = np.dot(x, w) + b
        loss = tf.reduce_mean(tf.square(guess - y))
    grads = tape.gradient(loss, [w, b])
    print(epoch, loss.numpy(), grads)
