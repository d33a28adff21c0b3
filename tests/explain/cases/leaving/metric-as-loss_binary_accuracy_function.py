import tensorflow as tf

tf.keras.utils.set_random_seed(14)
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1, activation="sigmoid")])
x = tf.constant([[0.5, 1.5], [-1.0, 0.3], [0.8, -0.7]])
y = tf.constant([[1.0], [0.0], [1.0]])

with tf.GradientTape() as tape:
    predicted = model(x)
    loss = 1.0 - tf.reduce_mean(tf.keras.metrics.binary_accuracy(y, predicted))

print(float(loss), tape.gradient(loss, model.trainable_weights))
