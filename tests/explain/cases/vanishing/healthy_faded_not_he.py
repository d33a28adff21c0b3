import tensorflow as tf

tf.keras.utils.set_random_seed(42)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(64, activation="relu", kernel_initializer="he_normal") for _ in range(20)]
    + [tf.keras.layers.Dense(1)]
)
x = tf.random.normal([64, 10])
y = tf.reduce_sum(x, axis=1, keepdims=True)
optimizer = tf.keras.optimizers.Adam(1e-3)
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
