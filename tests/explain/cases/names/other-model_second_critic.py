import tensorflow as tf

tf.keras.utils.set_random_seed(6)
critic1 = tf.keras.Sequential([tf.keras.layers.Input([2]), tf.keras.layers.Dense(1)])
critic2 = tf.keras.Sequential([tf.keras.layers.Input([2]), tf.keras.layers.Dense(1)])
states = tf.constant([[0.5, 1.0], [-1.0, 0.3]])
returns = tf.constant([[1.0], [0.2]])

with tf.GradientTape() as tape:
    error1 = tf.reduce_mean((critic1(states) - returns) ** 2)
    error2 = tf.reduce_mean((critic1(states) - returns) ** 2)
    loss = error1 + error2
grads = tape.gradient(loss, critic1.trainable_variables + critic2.trainable_variables)
print([g is None for g in grads])
