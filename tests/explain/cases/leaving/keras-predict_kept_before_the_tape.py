import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(3, activation="softmax")])
x = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5], [0.2, 0.9]], dtype="float32")
y = np.array([0, 1, 2, 0])

predictions = model.predict(x, batch_size=2, verbose=0)
print("first row:", predictions[0])

with tf.GradientTape() as tape:
    losses = tf.keras.losses.sparse_categorical_crossentropy(y, predictions)
    loss = tf.reduce_mean(losses)

weights = model.trainable_variables
print(tape.gradient(loss, weights))
