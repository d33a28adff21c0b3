import numpy as np
import tensorflow as tf

best_x, best_y = None, np.inf
for start in np.linspace(-2.0, 2.0, 4):
    x = tf.Variable(start, dtype=tf.float32)
    for _ in range(3):
        with tf.GradientTape() as tape:
            y = x**4 - 3.0 * x**2 + x
        x.assign_sub(0.03 * tape.gradient(y, x))
    if float(y) < best_y:
        best_x, best_y = float(x), float(y)
print(round(best_x, 3), round(best_y, 3))
