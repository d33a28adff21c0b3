import tensorflow as tf

tf.keras.utils.set_random_seed(41)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Input([3]),
        tf.keras.layers.Dense(4, use_bias=False),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(1),
    ]
)
x = tf.random.normal([8, 3])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x, training=True) - 1.0) ** 2)
grads = tape.gradient(loss, model.variables)
print([g is None for g in grads])
