import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(5)


class Sparse(keras.layers.Layer):
    def call(self, code):
        self.add_loss(0.1 * tf.reduce_sum(tf.abs(code)))
        return code


model = keras.Sequential([keras.layers.Dense(6, activation="tanh"), Sparse(), keras.layers.Dense(4)])
loss_fn = keras.losses.MeanSquaredError()
optimizer = keras.optimizers.SGD(0.1)
x = tf.random.normal([8, 4])
for step in range(2):
    with tf.GradientTape() as tape:
        loss = loss_fn(x, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(step, float(loss))
