import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
inputs = tf.keras.Input(shape=(3,))
outputs = tf.keras.layers.Dense(1, activation="sigmoid")(inputs)
classifier = tf.keras.Model(inputs, outputs)

features = np.array([[0.1, 0.4, -0.2], [1.0, -0.3, 0.8], [-0.5, 0.2, 0.1]], np.float32)
labels = np.array([[0.0], [1.0], [1.0]], np.float32)

with tf.GradientTape() as tape:
    probabilities = classifier(features, training=True).numpy()
    bce = tf.keras.losses.binary_crossentropy(labels, probabilities)
    loss = tf.reduce_mean(bce)

gradients = tape.gradient(loss, classifier.trainable_weights)
for weight, gradient in zip(classifier.trainable_weights, gradients):
    print(weight.shape, gradient)
