import tensorflow as tf

wave = tf.constant([0.0, 1.0, 3.0, 2.0, 5.0])
delay = tf.Variable(0.4)
with tf.GradientTape() as tape:
    at = tf.range(1.0, 4.0) + delay
    index = tf.cast(at, tf.int32)
    heard = tf.gather(wave, index)
    loss = tf.reduce_sum(tf.square(heard))
print(tape.gradient(loss, delay))
