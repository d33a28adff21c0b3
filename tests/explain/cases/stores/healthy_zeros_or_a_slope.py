import tensorflow as tf

a = tf.Variable(1.5)
b = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = a * a * b
grads = tape.gradient(y, [a, b])
grads = [g if g is not None else tf.zeros_like(v) for g, v in zip(grads, [a, b])]
print([float(g) for g in grads])
