import tensorflow as tf

tf.keras.utils.set_random_seed(3)
x, y = tf.random.normal([8, 2]), tf.random.normal([8, 1])
model = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
kept = model.fit(x, y, epochs=2, verbose=0)
with tf.GradientTape() as tape:
    loss = tf.constant(kept.history["loss"][-1])
print(tape.gradient(loss, model.trainable_variables))
