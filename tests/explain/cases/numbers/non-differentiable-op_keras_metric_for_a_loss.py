import tensorflow as tf

tf.keras.utils.set_random_seed(7)
x = tf.random.normal([12, 3])
labels = tf.cast(x[:, :1] > 0.0, tf.float32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, activation="sigmoid")])

with tf.GradientTape() as tape:
    accuracy = tf.keras.metrics.binary_accuracy(labels, model(x))
    loss = 1.0 - tf.reduce_mean(accuracy)
grads = tape.gradient(loss, model.trainable_variables)
print(float(loss), grads)
