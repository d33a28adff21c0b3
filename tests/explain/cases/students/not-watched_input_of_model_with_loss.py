import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
classifier = tf.keras.Sequential(
    [tf.keras.layers.Dense(5, activation="tanh"), tf.keras.layers.Dense(2)]
)
image = tf.constant(np.linspace(0.0, 1.0, 6, dtype=np.float32)[np.newaxis, :])
label = tf.constant([1])

with tf.GradientTape(persistent=True) as tape:
    logits = classifier(image)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label, logits=logits)

for_weights = tape.gradient(loss, classifier.trainable_variables)
for_image = tape.gradient(loss, image)
print(len(for_weights), "image:", for_image)
