import tensorflow as tf

tf.keras.utils.set_random_seed(0)
model = tf.keras.layers.Dense(1)
x = tf.Variable([[0.5, -1.0, 2.0]])
model(x)


def laplacian_row(net, point):
    with tf.GradientTape() as second:
        with tf.GradientTape() as first:
            u = net(point)
        u_x = first.gradient(u, point)
    return second.gradient(u_x, point)


print("u_xx:", laplacian_row(model, x))
