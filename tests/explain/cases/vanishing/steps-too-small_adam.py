import tensorflow as tf

tf.keras.utils.set_random_seed(28)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)]
)
optimizer = tf.keras.optimizers.Adam(learning_rate=1e-10)
x = tf.random.normal([64, 5])
y = tf.reduce_sum(x, axis=1, keepdims=True)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for _ in range(12):
    print(float(train_step(x, y)))
