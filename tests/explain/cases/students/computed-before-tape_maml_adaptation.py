import tensorflow as tf

w, b = tf.Variable(0.8), tf.Variable(0.1)


def task_loss(params, x, y):
    return tf.reduce_mean((params[0] * x + params[1] - y) ** 2)


def adapt(params, x, y, rate=0.05):
    with tf.GradientTape() as inner:
        loss = task_loss(params, x, y)
    grads = inner.gradient(loss, params)
    return [p - rate * g for p, g in zip(params, grads)]


support = tf.constant([1.0, 2.0]), tf.constant([2.1, 3.9])
query = tf.constant([3.0]), tf.constant([6.2])
adapted = adapt([w, b], *support)
with tf.GradientTape() as outer:
    meta_loss = task_loss(adapted, *query)
meta_grads = outer.gradient(meta_loss, [w, b])
print("meta gradients:", meta_grads)
