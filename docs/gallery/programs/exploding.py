import tensorflow as tf

tf.random.set_seed(0)
w = tf.Variable(tf.random.normal([5, 5], stddev=0.9), name="w")
b = tf.Variable(tf.zeros([5]), name="b")
x = tf.random.normal([16, 5])
for step in range(40):
    with tf.GradientTape() as tape:
        h = x
        for _ in range(8):
            h = h @ w + b
        loss = tf.reduce_mean(tf.square(h))
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(1e-9 * dw)
    b.assign_sub(1e-9 * db)
