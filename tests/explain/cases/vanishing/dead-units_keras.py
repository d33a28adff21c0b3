import tensorflow as tf

tf.keras.utils.set_random_seed(25)
low = tf.keras.initializers.Constant(-1.3)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(64, activation="relu", bias_initializer=low),
        tf.keras.layers.Dense(1),
    ]
)
x = tf.random.normal([20, 8], stddev=0.9)
y = tf.reduce_mean(x, axis=1, keepdims=True)
optimizer = tf.keras.optimizers.SGD(0.01)
for epoch in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
