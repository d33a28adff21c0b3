import tensorflow as tf

tf.keras.utils.set_random_seed(44)
base = tf.keras.layers.Dense(3, activation="tanh")
head = tf.keras.layers.Dense(1)
x = tf.constant([[1.0, -1.0], [0.5, 0.25]])
head(base(x))
everything = base.trainable_variables + head.trainable_variables
base.trainable = False
with tf.GradientTape(persistent=True) as tape:
    loss = tf.reduce_mean((head(base(x)) - 1.0) ** 2)
print(tape.gradient(loss, everything))
print(tape.gradient(loss, base.trainable_variables + head.trainable_variables))
