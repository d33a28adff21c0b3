import tensorflow as tf

tf.random.set_seed(0)
inner = tf.Variable(tf.random.normal([6, 6], stddev=0.35), name="inner")
outer = tf.Variable(tf.random.normal([2, 6], stddev=0.5), name="outer")
series = tf.random.normal([40, 5, 2])
with tf.GradientTape() as tape:
    state = tf.zeros([5, 6])
    for t in range(40):
        state = tf.tanh(state @ inner + series[t] @ outer)
    loss = tf.reduce_mean(tf.square(state))
grads = tape.gradient(loss, [inner, outer])
