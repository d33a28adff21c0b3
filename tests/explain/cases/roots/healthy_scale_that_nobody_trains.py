import tensorflow as tf
from tensorflow import keras

tf.random.set_seed(0)


class Scaled(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.alpha = tf.Variable(0.5, trainable=True)

    def call(self, x):
        return self.alpha * x


model = keras.Sequential(
    [keras.layers.Input([4]), keras.layers.Dense(8), Scaled(), keras.layers.Dense(1)]
)
x = tf.random.normal([16, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
optimizer = keras.optimizers.SGD(0.01)
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(float(loss), [v.path for v in model.trainable_variables])
