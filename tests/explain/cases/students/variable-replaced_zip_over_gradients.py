import tensorflow as tf

params = [tf.Variable(0.1), tf.Variable(-0.3)]
x = tf.constant([1.0, 2.0, 3.0])


def predict(params, x):
    slope, offset = params
    return slope * x + offset


for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((predict(params, x) - 2.0 * x) ** 2)
    grads = tape.gradient(loss, params)
    if None in grads:
        break
    params = [p - 0.05 * g for p, g in zip(params, grads)]
    print(epoch, float(loss))
