import tensorflow as tf

tf.random.set_seed(0)
w1 = tf.Variable(tf.random.normal([8, 16], stddev=0.4), name="w1")
b1 = tf.Variable(tf.zeros([16]), name="b1")
w2 = tf.Variable(tf.random.normal([16, 3], stddev=0.4), name="w2")
b2 = tf.Variable(tf.zeros([3]), name="b2")
x = tf.random.normal([12, 8])
labels = tf.constant([0, 1, 2] * 4)
with tf.GradientTape() as tape:
    hidden = tf.nn.relu(x @ w1 + b1)
    logits = hidden @ w2 + b2
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    loss = tf.reduce_mean(losses)
grads = tape.gradient(loss, [w1, b1, w2, b2])
