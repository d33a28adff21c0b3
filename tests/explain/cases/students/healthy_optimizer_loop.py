import tensorflow as tf

tf.keras.utils.set_random_seed(5)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(5, activation="relu"), tf.keras.layers.Dense(1)]
)
optimizer = tf.keras.optimizers.Adam(learning_rate=0.02)
x = tf.random.normal([12, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
log = []

for epoch in range(3):
    for i in range(0, 12, 4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x[i : i + 4]) - y[i : i + 4]))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        log.append(loss.numpy())
print("first:", log[0], "last:", log[-1], "steps:", len(log))
