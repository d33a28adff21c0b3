import tensorflow as tf

params = [tf.Variable(0.5), tf.Variable(-0.1)]
tasks = [(1.0, 0.2), (2.0, -0.3)]
x = tf.constant([0.5, 1.0, 1.5])


def loss_of(params, slope, offset):
    return tf.reduce_mean((params[0] * x + params[1] - (slope * x + offset)) ** 2)


with tf.GradientTape() as outer:
    total = 0.0
    for slope, offset in tasks:
        with tf.GradientTape() as inner:
            loss = loss_of(params, slope, offset)
        fast = [p - 0.1 * g for p, g in zip(params, inner.gradient(loss, params))]
        total += loss_of(fast, slope, offset)
for p, g in zip(params, outer.gradient(total, params)):
    p.assign_sub(0.1 * g)
print([p.numpy() for p in params])
