import tensorflow as tf


def slope_of(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


x = tf.Variable(0.8)
slope = slope_of(lambda t: tf.sin(t) * t, x)

with tf.GradientTape() as outer:
    steepness = slope**2

print("slope:", slope.numpy(), "bend:", outer.gradient(steepness, x))
