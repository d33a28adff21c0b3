import tensorflow as tf

x = tf.Variable([-1.0, 0.0, 2.0])
p = tf.constant([2.0, 1.0, 3.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x**p
        s = tf.reduce_sum(y)
    dy = inner.gradient(s, x)
    norm = tf.reduce_sum(dy**2)
    penalty = (norm - 1.0) ** 2
    total = s + 0.1 * penalty
print(outer.gradient(total, x))
