import tensorflow as tf

tf.keras.utils.set_random_seed(5)
hidden = tf.keras.layers.Dense(
    3,
    activation="relu",
    bias_initializer=tf.keras.initializers.Constant(-20.0),
)
head = tf.keras.layers.Dense(1, bias_initializer="ones")
x = tf.constant([[0.5, 1.0], [0.2, -0.3]])
with tf.GradientTape() as tape:
    out = head(hidden(x))
    loss = tf.reduce_mean((out - 2.0) ** 2)
grads = tape.gradient(loss, hidden.trainable_variables)
print([g.numpy().tolist() for g in grads])
