import tensorflow as tf

table = tf.Variable([[0.1, 0.2], [1.0, -1.0], [0.3, 0.9], [2.0, 2.5]], name="table")
pos = tf.Variable([0.2, 1.7, 2.9], name="pos")
want = tf.constant([[0.0, 0.0], [0.5, 0.5], [1.5, 1.5]])


def lookup(p):
    lo = tf.floor(p)
    idx = tf.cast(lo, tf.int32)
    left = tf.gather(table, idx)
    right = tf.gather(table, tf.minimum(idx + 1, 3))
    frac = (p - lo)[:, None]
    return left * (1 - frac) + right * frac


with tf.GradientTape() as tape:
    mse = tf.reduce_mean((lookup(pos) - want) ** 2)
gt, gp = tape.gradient(mse, [table, pos])
print(tf.convert_to_tensor(gt), gp)
