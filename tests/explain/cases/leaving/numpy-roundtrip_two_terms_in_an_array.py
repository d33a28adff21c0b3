import numpy as np
import tensorflow as tf

stiffness = tf.Variable(2.0, name="stiffness")
rest = tf.Variable(0.5, name="rest")
length = tf.constant([0.4, 0.7, 1.1])


def spring_energy(k, l0, at):
    return 0.5 * k * tf.reduce_sum((at - l0) ** 2)


with tf.GradientTape() as tape:
    stretched = spring_energy(stiffness, rest, length)
    hanging = 9.81 * rest * 0.1
    terms = np.array([stretched, hanging])
    total = tf.reduce_sum(terms)

print("energy:", total.numpy())
print("slopes:", tape.gradient(total, [stiffness, rest]))
