import tensorflow as tf

tf.keras.utils.set_random_seed(51)


class Tower(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(units, activation="tanh", use_bias=False)
        self.out = tf.keras.layers.Dense(2, use_bias=False)

    def call(self, x):
        return self.out(self.hidden(x))


users, items = Tower(4), Tower(4)
u = tf.random.normal([3, 5])
v = tf.random.normal([3, 5])
users(u)
items(v)


def similarity(u, v):
    left = users(u)
    right = users(v)
    return tf.reduce_sum(left * right, axis=1)


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.nn.softplus(-similarity(u, v)))
grads = tape.gradient(loss, items.trainable_variables + users.trainable_variables)
print([g is None for g in grads])
