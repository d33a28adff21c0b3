"""Ten readings of a gauge; one is beyond its scale, and teaches nothing."""
import tensorflow as tf

gain = tf.Variable(0.5)
readings = [0.2, 0.4, 0.3, 0.6, 9.0, 0.5, 0.7, 0.2, 0.3, 0.4]

for reading in readings:
    with tf.GradientTape() as tape:
        shown = tf.clip_by_value(gain * reading, 0.0, 1.0)
        loss = tf.square(shown - reading)
    gradient = tape.gradient(loss, gain)
    gain.assign_sub(0.1 * gradient)
print(gain.numpy())
