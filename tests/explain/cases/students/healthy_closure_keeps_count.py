import tensorflow as tf


def make_optimiser(variables, rate):
    speeds = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
    count = tf.Variable(0, trainable=False)

    def apply(gradients):
        count.assign_add(1)
        scale = rate / float(count) ** 0.5
        for v, s, g in zip(variables, speeds, gradients):
            s.assign(0.9 * s + g)
            v.assign_sub(scale * s)
        return int(count)

    return apply


a, b = tf.Variable(1.0), tf.Variable([0.5, 2.0])
apply = make_optimiser([a, b], 0.05)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((a * b - 1.0) ** 2)
    n = apply(tape.gradient(loss, [a, b]))
print(n, a.numpy(), b.numpy())
