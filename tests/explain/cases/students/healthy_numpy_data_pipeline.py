import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = rng.normal(size=(20, 3)).astype(np.float32)
y = (x @ np.array([1.0, -2.0, 0.5], dtype=np.float32) > 0).astype(np.float32)
w = tf.Variable(np.zeros(3, dtype=np.float32))
mean, std = x.mean(axis=0), x.std(axis=0)

for start in range(0, 20, 10):
    rows = slice(start, start + 10)
    with tf.GradientTape() as tape:
        batch = (x[rows] - mean) / std
        logits = tf.linalg.matvec(batch, w)
        loss = tf.reduce_mean(
            tf.nn.sigmoid_cross_entropy_with_logits(labels=y[rows], logits=logits)
        )
    w.assign_sub(np.float32(0.5) * tape.gradient(loss, w))
    accuracy = np.mean((logits.numpy() > 0) == y[rows])
    print(f"loss {float(loss):.3f} accuracy {accuracy:.2f}")
