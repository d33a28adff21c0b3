"""Thermal resistance of a joint in SI units, with a penalty that had to be "large"."""
import tensorflow as tf

PENALTY = 1e22
PER_CUBIC_METRE = 1e18  # cubic micrometres in a cubic metre

gap = tf.Variable([2e-24, 3e-24])  # cubic metres


def violation(volume):
    scaled = PER_CUBIC_METRE * volume
    return tf.reduce_sum(PENALTY * scaled)


with tf.GradientTape() as tape:
    loss = violation(gap)
print(loss)
print(tape.gradient(loss, gap))
