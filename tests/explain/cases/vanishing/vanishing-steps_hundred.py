import tensorflow as tf

tf.random.set_seed(11)
units, steps = 16, 100
wx = tf.Variable(tf.random.normal([3, units], stddev=0.5))
wh = tf.Variable(tf.random.normal([units, units], stddev=0.1))
b = tf.Variable(tf.zeros([units]))
wo = tf.Variable(tf.random.normal([units, 1]))

sequence = tf.random.normal([steps, 8, 3])
first = sequence[0, :, :1]
with tf.GradientTape() as tape:
    h = tf.zeros([8, units])
    for t in range(steps):
        h = tf.tanh(sequence[t] @ wx + h @ wh + b)
    loss = tf.reduce_mean((h @ wo - first) ** 2)
grads = tape.gradient(loss, [wx, wh, b, wo])
