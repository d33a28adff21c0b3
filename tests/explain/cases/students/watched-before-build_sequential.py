import tensorflow as tf

tf.keras.utils.set_random_seed(0)
net = tf.keras.Sequential(
    [tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)]
)
x = tf.constant([[0.2, -0.4], [1.0, 0.3]])
y = tf.constant([[1.0], [0.0]])

with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(net.trainable_variables)
    loss = tf.reduce_mean(tf.square(net(x) - y))

grads = tape.gradient(loss, net.trainable_variables)
print([g is None for g in grads])
