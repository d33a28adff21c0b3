import tensorflow as tf

w, b = tf.Variable(0.5), tf.Variable(0.2)
xs, ys = tf.constant([1.0, 2.0, 3.0]), [1.5, 2.5, 3.5]


def model(x):
    return w * x + b


for guess, y in zip(model(xs), ys):
    with tf.GradientTape() as tape:
        loss = (guess - y) ** 2
    print(tape.gradient(loss, [w, b]))
