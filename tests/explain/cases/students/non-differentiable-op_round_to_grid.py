import tensorflow as tf

knob = tf.Variable([0.26, 0.61, 0.88])
wanted = tf.constant([0.5, 0.5, 0.75])

with tf.GradientTape() as tape:
    steps = tf.round(knob * 4.0)
    setting = steps / 4.0
    loss = tf.reduce_sum(tf.square(setting - wanted))

print("setting:", setting.numpy(), "grad:", tape.gradient(loss, knob))
