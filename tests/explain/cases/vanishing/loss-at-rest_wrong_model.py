import tensorflow as tf

tf.keras.utils.set_random_seed(32)
online = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
target = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
states = tf.random.normal([32, 4])
returns = tf.random.normal([32, 2])
target(states)
optimizer = tf.keras.optimizers.Adam(0.01)
for step in range(25):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(online(states) - returns))
    gradients = tape.gradient(loss, online.trainable_variables)
    optimizer.apply_gradients(zip(gradients, target.trainable_variables))
