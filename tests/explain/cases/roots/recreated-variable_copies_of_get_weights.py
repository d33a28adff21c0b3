import tensorflow as tf
from tensorflow import keras

tf.random.set_seed(0)
network = keras.Sequential(
    [keras.layers.Input([3]), keras.layers.Dense(5, activation="tanh"), keras.layers.Dense(1)]
)
weights = [tf.Variable(w) for w in network.get_weights()]
x = tf.random.normal([10, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((network(x) - y) ** 2)
grads = tape.gradient(loss, weights)
print(grads)
