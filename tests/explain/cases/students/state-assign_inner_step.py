import tensorflow as tf

rate = tf.Variable(0.1, name="rate")
w = tf.Variable([1.0, -1.0], name="w")


def task_loss(weights, x, y):
    return (tf.reduce_sum(weights * x) - y) ** 2


with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        before = task_loss(w, [1.0, 2.0], 0.5)
    w.assign_sub(rate * inner.gradient(before, w))
    after = task_loss(w, [0.5, 1.0], 0.2)

print("after:", after.numpy(), "d after / d rate:", outer.gradient(after, rate))
