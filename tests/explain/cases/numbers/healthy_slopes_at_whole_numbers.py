import tensorflow as tf


def slope(function, at):
    x = tf.Variable(float(at))
    with tf.GradientTape() as tape:
        y = function(x)
    return tape.gradient(y, x).numpy()


parabola = [slope(lambda x: x**2 - 1.0, at) for at in range(-2, 3)]
cubic = [slope(lambda x: x**3, at) for at in range(-2, 3)]
wave = [slope(tf.cos, at) for at in (0.0, 0.5, 1.0)]
for at, low, high in zip(range(-2, 3), parabola, cubic):
    print(at, low, high)
print(wave)
