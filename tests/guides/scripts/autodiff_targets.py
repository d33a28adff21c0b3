"""Several targets, targets that are no scalars, control flow."""

import tensorflow as tf

x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y0 = x**2
    y1 = 1 / x
print(tape.gradient(y0, x).numpy())
print(tape.gradient(y1, x).numpy())

with tf.GradientTape() as tape:
    y0 = x**2
    y1 = 1 / x
print(tape.gradient({"y0": y0, "y1": y1}, x).numpy())

with tf.GradientTape() as tape:
    y = x * [3.0, 4.0]
print(tape.gradient(y, x).numpy())

x = tf.linspace(-10.0, 10.0, 9 + 1)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.sigmoid(x)
dy_dx = tape.gradient(y, x)
print(dy_dx)

x = tf.constant(1.0)
v0 = tf.Variable(2.0)
v1 = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    if x > 0.0:
        result = v0
    else:
        result = v1**2
dv0, dv1 = tape.gradient(result, [v0, v1])
print(dv0)
print(dv1)
print(tape.gradient(result, x))


def power(base, exponent):
    result = tf.constant(1.0)
    for _ in tf.range(exponent):
        result = result * base
    return result


base = tf.constant(1.5)
with tf.GradientTape() as tape:
    tape.watch(base)
    y = power(base, 4)
print(y, tape.gradient(y, base))

with tf.GradientTape() as tape:
    tape.watch(base)
    value = base
    while value < 40.0:
        value = value * value
print(float(value), float(tape.gradient(value, base)))
