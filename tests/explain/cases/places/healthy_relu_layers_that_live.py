import tensorflow as tf

tf.keras.utils.set_random_seed(2)
model = tf.keras.Sequential(
    [
        tf.keras.Input((3,)),
        tf.keras.layers.Dense(16, activation="relu", name="wide"),
        tf.keras.layers.Dense(16, activation="relu", name="narrow"),
        tf.keras.layers.Dense(1),
    ]
)
x = tf.random.normal((32, 3), seed=1)
y = tf.reduce_sum(x, axis=1, keepdims=True)
optimizer = tf.keras.optimizers.SGD(0.05)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
print(float(loss))
