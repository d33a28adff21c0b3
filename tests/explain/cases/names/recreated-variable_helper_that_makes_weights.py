import tensorflow as tf

tf.random.set_seed(0)


def weight(shape):
    return tf.Variable(tf.random.normal(shape, stddev=0.1))


def network(x):
    w1 = weight([2, 3])
    w2 = weight([3, 1])
    return tf.tanh(x @ w1) @ w2, [w1, w2]


x = tf.constant([[1.0, -1.0]])
_, weights = network(x)
optimizer_rate = 0.1
for epoch in range(2):
    with tf.GradientTape() as tape:
        y, _ = network(x)
        loss = tf.reduce_mean((y - 1.0) ** 2)
    grads = tape.gradient(loss, weights)
    print(epoch, grads)
