import tensorflow as tf


def cost(x):
    return (x - 1.5) ** 2 + 3.0


x = tf.Variable(4.0)
for iteration in range(4):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            value = cost(x)
        first = inner.gradient(value, x)
    second = outer.gradient(first, x)
    x.assign_sub(first / second)
    print(iteration, x.numpy(), float(value))
