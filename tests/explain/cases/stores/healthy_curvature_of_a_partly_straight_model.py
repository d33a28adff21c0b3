import tensorflow as tf

bend = tf.Variable(0.7, name="bend")
slope = tf.Variable(1.5, name="slope")
x = tf.constant(2.0)

with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as inner:
        y = tf.sin(bend * x) + slope * x
    d_bend, d_slope = inner.gradient(y, [bend, slope])
hessian = [
    outer.gradient(d, [bend, slope], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    for d in (d_bend, d_slope)
]
print([[h.numpy() for h in row] for row in hessian])
