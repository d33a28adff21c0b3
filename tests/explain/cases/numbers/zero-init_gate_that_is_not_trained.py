import tensorflow as tf

tf.random.set_seed(0)
x = tf.random.normal([16, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)

inner = tf.Variable(tf.random.normal([3, 8]), name="inner")
outer = tf.Variable(tf.random.normal([8, 1]), name="outer")
gate = tf.Variable(0.0, name="gate")
skip = tf.Variable(tf.ones([3, 1]) * 0.5, name="skip")

for step in range(5):
    with tf.GradientTape() as tape:
        branch = tf.tanh(x @ inner) @ outer
        out = x @ skip + gate * branch
        loss = tf.reduce_mean((out - y) ** 2)
    weights = [inner, outer, skip]
    for w, g in zip(weights, tape.gradient(loss, weights)):
        w.assign_sub(0.1 * g)
