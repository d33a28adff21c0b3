import bisect

import numpy as np
import tensorflow as tf

edges = [0.0, 0.5, 1.5, 3.0]
levels = [1.0, 2.0, 0.0, 4.0]
at = tf.Variable(0.9)
gain = tf.Variable(2.0)

with tf.GradientTape() as tape:
    i = np.searchsorted(edges, at) - 1
    j = bisect.bisect(edges, float(at)) - 1
    width = edges[i + 1] - edges[i]
    share = (at - edges[j]) / width
    value = gain * ((1.0 - share) * levels[i] + share * levels[i + 1])

print(value.numpy(), [g.numpy() for g in tape.gradient(value, [at, gain])])
