import tensorflow as tf

tf.random.set_seed(17)
units = 8
w_in = tf.Variable(tf.random.normal([2, units], stddev=0.1))
w_rec = tf.Variable(1.5 * tf.eye(units))
w_out = tf.Variable(tf.random.normal([units, 1], stddev=0.1))
xs = tf.random.normal([40, 4, 2])
with tf.GradientTape() as tape:
    state = tf.zeros([4, units])
    for x in xs:
        state = tf.nn.relu(x @ w_in + state @ w_rec)
    loss = tf.reduce_mean(tf.abs(state @ w_out - 1.0))
grads = tape.gradient(loss, [w_in, w_rec, w_out])
