import tensorflow as tf

x = tf.constant([[1.0, -2.0], [-1.0, 0.5], [0.3, 0.3]])
counts = tf.constant([[2.0], [1.0], [4.0]])
rate = tf.keras.layers.Dense(1, kernel_initializer=tf.constant_initializer(0.5))

with tf.GradientTape() as tape:
    expected = rate(x)
    loss = tf.reduce_mean((tf.math.log(expected) - tf.math.log(counts)) ** 2)
grads = tape.gradient(loss, rate.trainable_variables)
print(float(loss), grads)
