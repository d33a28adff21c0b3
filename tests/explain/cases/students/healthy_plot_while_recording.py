import numpy as np
import tensorflow as tf

curve = tf.Variable(np.linspace(-1.0, 1.0, 5), dtype=tf.float32)
frames, titles = [], []

for step in range(3):
    with tf.GradientTape() as tape:
        bent = curve**3 - curve
        frames.append(np.array(bent))
        energy = tf.reduce_sum(bent**2)
        titles.append(f"{step}: {energy.numpy():.3f} between {np.min(bent):.2f} and {np.max(bent):.2f}")
        total = energy + 0.01 * tf.reduce_sum((curve[1:] - curve[:-1]) ** 2)
    curve.assign_sub(0.1 * tape.gradient(total, curve))
print(titles, np.stack(frames).shape)
