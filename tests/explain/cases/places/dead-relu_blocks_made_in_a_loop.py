import tensorflow as tf

tf.keras.utils.set_random_seed(8)
model = tf.keras.Sequential([tf.keras.Input((3,))])
for width in (6, 4):
    model.add(tf.keras.layers.Dense(width, activation="relu", kernel_initializer="ones"))
    model.add(tf.keras.layers.Dense(width, activation="tanh"))
model.add(tf.keras.layers.Dense(1))


def loss_of(x, y):
    return tf.reduce_mean((model(x) - y) ** 2)


x = tf.constant([[-1.0, -2.0, -0.5], [-0.3, -0.8, -1.5]])
with tf.GradientTape() as tape:
    loss = loss_of(x, tf.constant([[1.0], [2.0]]))
print([float(tf.norm(g)) for g in tape.gradient(loss, model.layers[0].trainable_variables)])
