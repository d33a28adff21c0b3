import tensorflow as tf


def towards(z, code):
    code = tf.stop_gradient(code)
    return tf.reduce_mean(tf.square(z - code))


def commitment(zs, codes):
    total = 0.0
    for z, code in zip(zs, codes):
        total += towards(z, code)
    return total / len(zs)


w = tf.Variable(0.7, name="w")
xs = [tf.constant([0.2, 0.9]), tf.constant([1.4, 0.3])]
book = tf.constant([0.0, 0.5, 1.0])
with tf.GradientTape() as tape:
    zs = [w * x for x in xs]
    codes = [tf.gather(book, tf.argmin(tf.abs(x[:, None] - book), axis=1)) for x in xs]
    loss = commitment(codes, zs)
print(tape.gradient(loss, w))
