import tensorflow as tf

tf.random.set_seed(37)
w = tf.Variable(tf.cast(tf.random.normal([16, 16], stddev=0.25), tf.float16))
x = tf.cast(tf.random.normal([256, 16]), tf.float16)
y = tf.cast(tf.random.normal([256, 16], stddev=0.05), tf.float16)
with tf.GradientTape() as tape:
    miss = tf.matmul(x, w) - y
    loss = tf.reduce_mean(tf.square(0.01 * miss))
gradient = tape.gradient(loss, w)
print(gradient)
