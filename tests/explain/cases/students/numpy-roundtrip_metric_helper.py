import numpy as np
import tensorflow as tf


def mae(truth, guess):
    truth, guess = np.asarray(truth), np.asarray(guess)
    return np.abs(truth - guess).mean()


slope = tf.Variable(1.1)
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    guess = slope * x
    loss = tf.convert_to_tensor(mae([1.0, 2.5, 2.9], guess))
print("slope:", slope.numpy(), "grad:", tape.gradient(loss, slope))
