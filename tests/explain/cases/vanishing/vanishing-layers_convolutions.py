import tensorflow as tf
from tensorflow.keras.layers import Conv2D, Dense, GlobalAveragePooling2D

tf.keras.utils.set_random_seed(9)
images = tf.random.uniform([4, 12, 12, 1])
labels = tf.constant([[0.0], [1.0], [0.0], [1.0]])

model = tf.keras.Sequential(
    [Conv2D(8, 3, padding="same", activation="sigmoid") for _ in range(5)]
    + [GlobalAveragePooling2D(), Dense(1)]
)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
opt = tf.keras.optimizers.SGD(0.5)
for step in range(2):
    with tf.GradientTape() as tape:
        loss = bce(labels, model(images))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
