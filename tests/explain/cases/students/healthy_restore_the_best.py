import numpy as np
import tensorflow as tf

params = [tf.Variable([1.0, -1.0]), tf.Variable(0.5)]
best_loss, best = np.inf, [p.numpy().copy() for p in params]

for rate in (0.1, 1.2, 0.05):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((params[0] * [2.0, 1.0] + params[1]) ** 2)
    if loss.numpy() < best_loss:
        best_loss, best = loss.numpy(), [p.numpy().copy() for p in params]
    else:
        for p, saved in zip(params, best):
            p.assign(saved + 0.01)
        continue
    for p, g in zip(params, tape.gradient(loss, params)):
        p.assign_sub(rate * g)
print("best:", best_loss, best)
