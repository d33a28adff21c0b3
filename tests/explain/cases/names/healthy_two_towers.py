import tensorflow as tf

tf.keras.utils.set_random_seed(51)
users = tf.keras.layers.Dense(2)
items = tf.keras.layers.Dense(2)
u, v = tf.random.normal([3, 5]), tf.random.normal([3, 5])
with tf.GradientTape() as tape:
    scores = tf.reduce_sum(users(u) * items(v), axis=1)
    loss = tf.reduce_mean(tf.nn.softplus(-scores))
print(tape.gradient(loss, users.trainable_variables + items.trainable_variables))
