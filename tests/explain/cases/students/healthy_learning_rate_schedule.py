import math

import tensorflow as tf

angle = tf.Variable(2.0)

for step in range(5):
    rate = 0.3 * 0.9**step * (1.0 + math.cos(math.pi * step / 5)) / 2
    with tf.GradientTape() as tape:
        energy = 1.0 - tf.cos(angle)
    slope = tape.gradient(energy, angle)
    if abs(float(slope)) > 0.5:
        rate = rate * 0.5 / abs(float(slope))
    angle.assign(angle - rate * slope)
    print(f"step {step}: energy {energy:.4f}, rate {rate:.3f}")
