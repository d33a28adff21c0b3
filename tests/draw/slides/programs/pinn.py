import minitape as tf

tf.keras.utils.set_random_seed(1)
net = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(16, activation="tanh"),
        tf.keras.layers.Dense(16, activation="tanh"),
        tf.keras.layers.Dense(1),
    ]
)
x = tf.reshape(tf.linspace(0.0, 1.0, 32), (32, 1))


def residual(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            u = net(x)
        u_x = inner.gradient(u, x)
    u_xx = outer.gradient(u_x, x)
    return u_xx + tf.sin(3.14 * x)


net(x)
with tf.GradientTape() as tape:
    physics = tf.reduce_mean(residual(x) ** 2)
    boundary = tf.reduce_mean(net(tf.constant([[0.0], [1.0]])) ** 2)
    loss = physics + boundary
grads = tape.gradient(loss, net.trainable_variables)
