import tensorflow as tf

dose = tf.Variable([1.2, 3.8, 2.5])
effect = tf.Variable(0.4)

with tf.GradientTape() as tape:
    pills = tf.cast(dose, tf.int32)
    total = tf.reduce_sum(tf.cast(pills, tf.float32)) * effect
    risk = tf.square(total - 3.0)

print(tape.gradient(risk, [dose, effect]))
