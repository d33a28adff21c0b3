import tensorflow as tf

tf.random.set_seed(59)
scale = 512.0
w = tf.Variable(tf.cast(tf.random.normal([16, 16], stddev=0.25), tf.float16))
x = tf.cast(tf.random.normal([64, 16]), tf.float16)
y = tf.cast(tf.random.normal([64, 16]), tf.float16)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    scaled = loss * scale
gradient = tf.cast(tape.gradient(scaled, w), tf.float32) / scale
