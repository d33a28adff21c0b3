import tensorflow as tf


def energy(q):
    return tf.reduce_sum(q**4) + q[0] * q[1]


q = tf.Variable([0.4, -0.3])
with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as inner:
        e = energy(q)
    slope = inner.gradient(e, q)
force = -slope
stiffness = outer.jacobian(force, q)
print(stiffness)
