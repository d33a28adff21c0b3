import numpy as np
import tensorflow as tf

mix = tf.Variable(0.5)
inputs = [tf.constant([1.0, 0.0]), tf.constant([0.2, 0.7]), tf.constant([0.9, 0.4])]

with tf.GradientTape() as tape:
    state, seen = tf.zeros([2]), []
    for x in inputs:
        state = tf.tanh(mix * state + x * mix)
        seen.append(state)
    story = np.concatenate(seen)
    weights = np.linspace(0.0, 1.0, len(story), dtype=np.float32)
    summary = tf.reduce_sum(weights * story)

print("summary:", summary.numpy(), "grad:", tape.gradient(summary, mix))
