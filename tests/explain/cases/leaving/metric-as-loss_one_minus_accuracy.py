import tensorflow as tf

tf.keras.utils.set_random_seed(5)
classifier = tf.keras.Sequential(
    [tf.keras.Input((2,)), tf.keras.layers.Dense(3, activation="softmax")]
)
accuracy = tf.keras.metrics.CategoricalAccuracy()
x = tf.constant([[1.0, 2.0], [0.0, 1.0], [2.0, -1.0], [0.3, 0.3]])
y = tf.one_hot([0, 1, 2, 0], 3)


def train_step():
    with tf.GradientTape() as tape:
        probabilities = classifier(x, training=True)
        accuracy.update_state(y, probabilities)
        error = 1.0 - accuracy.result()
    return error, tape.gradient(error, classifier.trainable_variables)


error, grads = train_step()
print("error rate:", float(error), "gradients:", grads)
