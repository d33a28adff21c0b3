import tensorflow as tf

tf.keras.utils.set_random_seed(23)
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
x = tf.constant([[1.0, 2.0], [0.0, 1.0], [2.0, -1.0]])
y = tf.constant([[3.0], [1.0], [1.0]])

with tf.GradientTape() as tape:
    errors = tf.keras.metrics.MSE(y, model(x))
    loss = tf.reduce_mean(errors)
for g in tape.gradient(loss, model.trainable_variables):
    print(g.numpy())
