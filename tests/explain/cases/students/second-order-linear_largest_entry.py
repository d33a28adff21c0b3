import tensorflow as tf

x = tf.Variable([1.0, 3.0, 2.0])

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        top = tf.reduce_sum(x * [2.0, 5.0, 1.0]) - 4.0
    pull = inner.gradient(top, x)

print("pull:", pull.numpy(), "hessian:", outer.jacobian(pull, x))
