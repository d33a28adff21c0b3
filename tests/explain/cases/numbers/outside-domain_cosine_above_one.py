import tensorflow as tf

v = tf.Variable([0.6, 0.8])
w = tf.constant([0.6, 0.8])
with tf.GradientTape() as tape:
    cosine = 1.000001 * tf.reduce_sum(v * w) + 1e-6
    turn = tf.math.acos(cosine)
print(tape.gradient(turn, v))
