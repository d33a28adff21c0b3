import tensorflow as tf

w, v = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(w * tf.ones_like(v))
print(tape.gradient(y, [w, v]))
