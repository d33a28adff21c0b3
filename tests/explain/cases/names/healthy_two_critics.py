import tensorflow as tf

tf.keras.utils.set_random_seed(6)
critics = [tf.keras.layers.Dense(1) for _ in range(2)]
states = tf.constant([[0.5, 1.0], [-1.0, 0.3]])
returns = tf.constant([[1.0], [0.2]])
with tf.GradientTape() as tape:
    loss = tf.add_n([tf.reduce_mean((critic(states) - returns) ** 2) for critic in critics])
print(tape.gradient(loss, [v for critic in critics for v in critic.trainable_variables]))
