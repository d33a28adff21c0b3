import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")

x = np.array([[0.0], [1.0], [2.0], [3.0]], np.float32)
y = np.array([[1.0], [3.0], [5.0], [7.0]], np.float32)
optimizer = tf.keras.optimizers.SGD(0.1)

for step in range(2):
    with tf.GradientTape() as tape:
        loss = model.evaluate(x, y, verbose=0)
        loss = tf.convert_to_tensor(loss)
    gradients = tape.gradient(loss, model.trainable_variables)
    print(step, float(loss), gradients)
