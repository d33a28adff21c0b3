import tensorflow as tf

x = tf.Variable([1.5, 0.5])

for _ in range(2):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x[0] ** 4 + x[0] * x[1] + (1.0 + x[1]) ** 2
        slope = inner.gradient(y, x)
    hessian = outer.jacobian(slope, x)
    det = hessian[0, 0] * hessian[1, 1] - hessian[0, 1] * hessian[1, 0]
    step = tf.stack(
        [
            hessian[1, 1] * slope[0] - hessian[0, 1] * slope[1],
            hessian[0, 0] * slope[1] - hessian[1, 0] * slope[0],
        ]
    ) / float(det)
    x.assign_sub(step)
print(x.numpy(), float(y), float(tf.norm(slope)))
