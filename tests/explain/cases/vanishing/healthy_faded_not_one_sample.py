import tensorflow as tf

tf.keras.utils.set_random_seed(55)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(1),
    ]
)
optimizer = tf.keras.optimizers.SGD(0.01)
data = tf.random.normal([30, 6])
for row in data:
    x = row[tf.newaxis]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - tf.reduce_sum(x)) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
