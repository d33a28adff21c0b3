import tensorflow as tf

tf.keras.utils.set_random_seed(2)


def net():
    return tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])


slow, fast = net(), net()
x, y = tf.random.normal((6, 1)), tf.random.normal((6, 1))


def adapt(rate):
    for mine, theirs in zip(fast.trainable_variables, slow.trainable_variables):
        mine.assign(theirs)
    with tf.GradientTape() as inner:
        loss = tf.reduce_mean((fast(x[:3]) - y[:3]) ** 2)
    for variable, grad in zip(fast.trainable_variables, inner.gradient(loss, fast.trainable_variables)):
        variable.assign_sub(rate * grad)


with tf.GradientTape() as outer:
    adapt(0.1)
    meta_loss = tf.reduce_mean((fast(x[3:]) - y[3:]) ** 2)
print(outer.gradient(meta_loss, slow.trainable_variables))
