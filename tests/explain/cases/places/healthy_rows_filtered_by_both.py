import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
heights = rng.normal(170.0, 8.0, 30).astype("float32")
weights = 0.6 * heights - 30.0
heights[[4, 9]] = np.nan
weights[[2, 7]] = np.nan
good = ~np.isnan(weights) & np.isfinite(heights)
heights, weights = heights[good], weights[good]

slope = tf.Variable(0.0, name="slope")
for x, y in tf.data.Dataset.from_tensor_slices((heights, weights)).batch(13):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((slope * x / 100.0 - y) ** 2)
    print(tape.gradient(loss, slope))
