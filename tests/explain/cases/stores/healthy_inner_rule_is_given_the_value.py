import tensorflow as tf


@tf.custom_gradient
def smooth_abs(x):
    y = tf.sqrt(x * x + 0.01)
    slope = tf.stop_gradient(x / y)

    def first_order(upstream):
        @tf.custom_gradient
        def slope_at(value):
            def second_order(again):
                return again * 0.01 / tf.stop_gradient(y) ** 3

            return slope + 0.0 * tf.stop_gradient(value), second_order

        return upstream * slope_at(x)

    return y, first_order


x = tf.Variable(0.3)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = smooth_abs(x)
    dy = inner.gradient(y, x)
print("slope", dy.numpy(), "curvature", outer.gradient(dy, x).numpy())
