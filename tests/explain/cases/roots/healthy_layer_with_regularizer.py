import tensorflow as tf
from tensorflow import keras

tf.random.set_seed(0)
l2 = keras.regularizers.L2(1e-3)
model = keras.Sequential(
    [
        keras.layers.Dense(8, activation="tanh", kernel_regularizer=l2),
        keras.layers.Dense(1, kernel_regularizer=l2),
    ]
)
x = tf.random.normal([16, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
with tf.GradientTape() as tape:
    prediction = model(x)
    loss = tf.reduce_mean((prediction - y) ** 2) + tf.add_n(model.losses)
grads = tape.gradient(loss, model.trainable_variables)
for v, g in zip(model.trainable_variables, grads):
    print(v.path, g is None)
