import statistics

import tensorflow as tf

shift = tf.Variable(0.1)
ages = [21.0, 34.0, 29.0, 40.0]

with tf.GradientTape() as tape:
    moved = [(shift + age).numpy().item() for age in ages]
    center = statistics.mean(moved)
    objective = tf.abs(center - tf.constant(30.0))

print("objective:", objective.numpy(), "grad:", tape.gradient(objective, shift))
