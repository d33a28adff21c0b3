import tensorflow as tf

x = tf.Variable(2.0)

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x**3
    z = tf.math.log(y) + y

print("outer:", outer.gradient(z, x).numpy())
print("inner:", inner.gradient(z, x))
