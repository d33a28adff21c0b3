import tensorflow as tf


def body():
    return tf.keras.Sequential(
        [tf.keras.layers.Input([2]), tf.keras.layers.Dense(3, activation="tanh")]
    )


def whole(body):
    start = tf.keras.Input([2])
    middle = tf.keras.models.clone_model(body)(start)
    return tf.keras.Model(start, tf.keras.layers.Dense(1)(middle))


inner = body()
outer = whole(inner)
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(outer(x) ** 2)
wanted = inner.trainable_variables
gradients = tape.gradient(loss, wanted)
print(gradients)
