import tensorflow as tf

p = tf.Variable(1.2)
q = tf.Variable(-0.4)

with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape(persistent=True) as inner:
        valley = (1.0 - p) ** 2 + 10.0 * (q - p**2) ** 2
gradients = {"p": inner.gradient(valley, p), "q": inner.gradient(valley, q)}

mixed = outer.gradient(gradients["p"], [p, q])
print("row of the Hessian:", mixed)
