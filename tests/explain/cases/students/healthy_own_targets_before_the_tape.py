import tensorflow as tf

tf.keras.utils.set_random_seed(31)
net = tf.keras.Sequential(
    [tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(2)]
)
optimizer = tf.keras.optimizers.SGD(learning_rate=0.05)
states, following = tf.random.normal([4, 3]), tf.random.normal([4, 3])
rewards = tf.constant([0.0, 1.0, 0.5, -0.2])

for step in range(3):
    goal = rewards + 0.9 * tf.reduce_max(net(following), axis=1)
    with tf.GradientTape() as tape:
        q = net(states)[:, 0]
        loss = tf.reduce_mean((goal - q) ** 2)
    grads = tape.gradient(loss, net.trainable_variables[:2])
    optimizer.apply_gradients(zip(grads, net.trainable_variables[:2]))
    print(step, loss.numpy())
