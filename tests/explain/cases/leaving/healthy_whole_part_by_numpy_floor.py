import numpy as np
import tensorflow as tf

stock = tf.Variable([3.2, 5.9, 1.4])
price = tf.Variable(2.0)

with tf.GradientTape() as tape:
    boxes = np.floor(stock)
    loose = stock - boxes
    boxed = np.sum(boxes.astype(int)) * 0.9 * price
    cost = boxed + price * tf.reduce_sum(loose**2)

print(cost.numpy(), [g.numpy() for g in tape.gradient(cost, [stock, price])])
