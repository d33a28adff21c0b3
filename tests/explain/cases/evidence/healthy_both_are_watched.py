import tensorflow as tf

tf.keras.utils.set_random_seed(7)
net = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(1)])
x = tf.reshape(tf.linspace(0.0, 1.0, 5), (5, 1))
t = tf.ones((5, 1)) * 0.3
with tf.GradientTape() as tape:
    tape.watch(x)
    tape.watch(t)
    u = net(tf.concat([x, t], axis=1))
print(tape.gradient(u, [x, t]))
