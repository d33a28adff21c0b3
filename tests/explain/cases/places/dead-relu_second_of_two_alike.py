import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(8)


def network():
    return tf.keras.Sequential(
        [
            tf.keras.Input((3,)),
            layers.Dense(6, activation="relu", kernel_initializer="ones"),
            layers.Dense(
                4, activation="relu", kernel_initializer=tf.keras.initializers.Constant(-0.5)
            ),
            layers.Dense(1),
        ]
    )


model = network()
x = tf.constant([[1.0, 2.0, 0.5], [0.3, 0.8, 1.5]])
y = tf.constant([[1.0], [2.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - y) ** 2)
print([float(tf.norm(g)) for g in tape.gradient(loss, model.trainable_variables)])
