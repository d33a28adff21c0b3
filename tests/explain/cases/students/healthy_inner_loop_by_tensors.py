import tensorflow as tf

start = tf.Variable([0.5, 0.5])
rate = tf.Variable(0.1)
tasks = [([1.0, 0.0], 1.0), ([0.0, 2.0], -1.0)]


def task_loss(w, x, y):
    return (tf.reduce_sum(w * x) - y) ** 2


with tf.GradientTape() as outer:
    total = 0.0
    for x, y in tasks:
        w = tf.identity(start)
        with tf.GradientTape() as inner:
            inner.watch(w)
            loss = task_loss(w, x, y)
        w = w - rate * inner.gradient(loss, w)
        total += task_loss(w, x, y)

print("total:", total.numpy(), [g.numpy() for g in outer.gradient(total, [start, rate])])
