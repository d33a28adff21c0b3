import tensorflow as tf

tf.keras.utils.set_random_seed(2)
net = tf.keras.Sequential([tf.keras.layers.Dense(5, activation="tanh"), tf.keras.layers.Dense(2)])
x = tf.random.normal([4, 3])

with tf.GradientTape() as tape:
    tape.watch(x)
    logits = net(x)

sensitivity = tape.batch_jacobian(tf.nn.softmax(logits), x)
print(tf.reduce_mean(tf.abs(sensitivity), axis=[0, 1]).numpy())
