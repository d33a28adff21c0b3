import numpy as np
import tensorflow as tf

model = tf.keras.Sequential(
    [
        tf.keras.Input((2,)),
        tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="ones"),
    ]
)
x = np.array([[1.0, 0.0], [1.0, 2.0]], np.float32)
y = np.array([[1.5], [2.0]], np.float32)

with tf.GradientTape() as tape:
    answers = model(x, training=True)
    fit = tf.reduce_mean(tf.square(answers - y))
    size = tf.reduce_mean(tf.square(model.predict(x, verbose=0)))
    loss = fit + 0.3 * size

gradient = tape.gradient(loss, model.trainable_weights)
print("loss:", float(loss), "gradient:", gradient[0].numpy().ravel())
