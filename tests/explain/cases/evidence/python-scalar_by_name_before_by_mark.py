"""The drag is a Python number twice: once by itself, once in a sum that Python keeps."""
import tensorflow as tf

drag = tf.Variable(0.3)
speed = tf.constant(4.0)

with tf.GradientTape() as tape:
    force = drag * speed**2
    work = float(force) * 2.0
    energy = tf.constant(work) + 1.0
print(tape.gradient(energy, drag))
