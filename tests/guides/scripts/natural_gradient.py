"""The Fisher matrix from per-example gradients; a natural step."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(17)
x = tf.constant(random.normal(size=(30, 3)), tf.float32)
labels = tf.constant((random.uniform(size=30) < 1 / (1 + np.exp(-x.numpy() @ [1.0, -2.0, 0.5]))).astype("float32"))
w = tf.Variable(tf.zeros([3]))


def log_likelihoods():
    logits = tf.linalg.matvec(x, w)
    return -tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)


for step in range(4):
    with tf.GradientTape() as tape:
        scores = log_likelihoods()
    per_example = tape.jacobian(scores, w)
    fisher = tf.matmul(per_example, per_example, transpose_a=True) / len(x)
    direction = tf.linalg.solve(fisher + 1e-3 * tf.eye(3), tf.reduce_mean(per_example, 0)[:, None])
    w.assign_add(0.5 * tf.squeeze(direction))
    print(step, tf.reduce_mean(scores).numpy(), w.numpy())
print(fisher)

logits = tf.Variable([0.2, -0.1, 0.4])
with tf.GradientTape() as tape:
    log_p = tf.nn.log_softmax(logits)
jac = tape.jacobian(log_p, logits)
p = tf.nn.softmax(logits)
print(tf.einsum("ki,k,kj->ij", jac, p, jac))
print(tf.linalg.diag(p) - p[:, None] * p[None, :])
chol = tf.linalg.cholesky(tf.einsum("ki,k,kj->ij", jac, p, jac) + 0.1 * tf.eye(3))
print(tf.linalg.cholesky_solve(chol, tf.ones([3, 1])), tf.linalg.logdet(fisher).numpy(), tf.linalg.det(fisher).numpy())
print(tf.linalg.trace(fisher).numpy(), tf.linalg.diag_part(fisher).numpy(), tf.linalg.band_part(fisher, 0, -1).numpy())
