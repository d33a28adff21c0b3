import tensorflow as tf

tf.random.set_seed(0)
layers = [tf.Variable(tf.random.normal([6, 6], stddev=0.6), name=f"w{i}") for i in range(10)]
x = tf.random.normal([16, 6])
y = tf.sin(x)
for step in range(60):
    with tf.GradientTape() as tape:
        h = x
        for w in layers:
            h = tf.sigmoid(h @ w)
        loss = tf.reduce_mean(tf.square(h - y))
    for w, g in zip(layers, tape.gradient(loss, layers)):
        w.assign_sub(0.5 * g)
