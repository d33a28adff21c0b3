import tensorflow as tf

depth = tf.Variable([0.5, 0.9])
normal = tf.Variable([1.0, 0.1])


def losses():
    parts = {
        "depth": tf.reduce_mean(tf.abs(depth - [0.7, 0.7])),
        "normal": tf.reduce_sum((normal - depth) ** 2),
        "edges": tf.abs(depth[1] - depth[0]),
    }
    return parts, {name: float(part) for name, part in parts.items()}


with tf.GradientTape() as tape:
    parts, log = losses()
    total = tf.add_n(list(parts.values()))
d_depth, d_normal = tape.gradient(total, [depth, normal])
print(log, "sum", round(sum(log.values()), 4), d_depth.numpy(), d_normal.numpy())
