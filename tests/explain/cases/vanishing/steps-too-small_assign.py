import tensorflow as tf

knob = tf.Variable([2.0, 3.0, 4.0])
goal = tf.constant([1.0, 1.0, 1.0])
for i in range(20):
    with tf.GradientTape() as tape:
        error = tf.reduce_sum((knob - goal) ** 2)
    slope = tape.gradient(error, knob)
    knob.assign(knob - 1e-8 * slope)
