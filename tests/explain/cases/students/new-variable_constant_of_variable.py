import tensorflow as tf

amplitude = tf.Variable(1.5)
offset = tf.Variable(0.25)
t = tf.constant([0.0, 0.5, 1.0])

with tf.GradientTape() as tape:
    a = tf.constant(amplitude)
    wave = a * tf.sin(3.0 * t) + offset
    loss = tf.reduce_sum(tf.square(wave))

d_a, d_o = tape.gradient(loss, (amplitude, offset))
print("amplitude:", d_a, "offset:", d_o)
