import tensorflow as tf


@tf.custom_gradient
def power(x):
    def rule(upstream):
        return upstream * 3.0 * float(x) ** 2

    return x**3, rule


x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = power(x)
    first = inner.gradient(y, x)
second = outer.gradient(first, x)
print(first.numpy(), second)
