import numpy as np
import tensorflow as tf

w = tf.Variable([[0.2], [0.4]])
metrics = {"loss": [], "norm": []}
x = np.array([[1.0, 2.0], [3.0, 4.0]], dtype="float32")
y = np.array([[1.0], [2.0]], dtype="float32")
for _ in range(2):
    with tf.GradientTape() as tape:
        out = tf.matmul(x, w)
        residual = out - y
        metrics["norm"].append(np.linalg.norm(residual))
        loss = tf.reduce_mean(tf.square(residual))
        metrics["loss"].append(loss.numpy())
    scale = min(1.0, 5.0 / metrics["norm"][-1])
    w.assign_sub(0.05 * scale * tape.gradient(loss, w))
print(metrics, w.numpy())
