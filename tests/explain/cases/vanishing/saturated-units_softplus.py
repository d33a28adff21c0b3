import tensorflow as tf

tf.random.set_seed(22)
raw_scale = tf.Variable(tf.random.normal([20], mean=-9.0))
mean = tf.Variable(tf.zeros([20]))
data = tf.random.normal([50, 20])
for _ in range(3):
    with tf.GradientTape() as tape:
        scale = tf.nn.softplus(raw_scale)
        loss = tf.reduce_mean((data - mean) ** 2) + tf.reduce_mean(scale)
    grads = tape.gradient(loss, [raw_scale, mean])
    for v, g in zip([raw_scale, mean], grads):
        v.assign_sub(0.1 * g)
