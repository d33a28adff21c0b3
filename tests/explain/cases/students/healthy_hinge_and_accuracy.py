import numpy as np
import tensorflow as tf

x = np.array([[2.0, 1.0], [1.0, -1.0], [-1.5, 0.5]], dtype=np.float32)
y = np.array([1.0, 1.0, -1.0], dtype=np.float32)
w, b = tf.Variable([0.2, 0.1]), tf.Variable(0.0)

with tf.GradientTape() as tape:
    margin = y * (tf.linalg.matvec(x, w) + b)
    loss = tf.reduce_mean(tf.maximum(0.0, 1.0 - margin)) + 0.05 * tf.nn.l2_loss(w)
    hits = tf.reduce_sum(tf.cast(margin > 0, tf.int32))
    assert float(loss) >= 0.0, "a hinge is never negative"
    print(f"loss {loss:.3f}, {int(hits)} of {len(y)} right, sign {np.sign(margin)}")

print([g.numpy() for g in tape.gradient(loss, [w, b])])
