import tensorflow as tf

signal = tf.constant([0.3, -1.2, 0.8])
gain = tf.Variable(0.7)
with tf.GradientTape() as tape:
    voltage = gain * signal
    levels = tf.round(voltage * 65536.0) / 65536.0  # a converter with 16 bits
    measured = voltage + (levels - voltage)
    error = tf.reduce_mean((measured - signal) ** 2)
print(tape.gradient(error, gain))
