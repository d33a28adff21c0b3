import tensorflow as tf

phase = tf.Variable(7.3)
amplitude = tf.Variable(1.5)

with tf.GradientTape() as tape:
    turns = phase // 1.0
    rest = phase - turns
    level = amplitude * (2.0 * rest - 1.0) ** 2

slopes = tape.gradient(level, [phase, amplitude])
print("turns:", turns.numpy(), [s.numpy() for s in slopes])
