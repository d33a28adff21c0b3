import tensorflow as tf

tf.keras.utils.set_random_seed(3)
CONFIG = {"units": 8, "activation": "tanh", "unused": "relu"}


def build(config):
    layers = [
        tf.keras.layers.Dense(config["units"], activation=config["activation"]) for _ in range(2)
    ]
    return tf.keras.Sequential([tf.keras.Input((1,)), *layers, tf.keras.layers.Dense(1)])


beam = build(CONFIG)
x = tf.reshape(tf.linspace(0.0, 1.0, 9), (9, 1))
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        height = beam(x)
    slope = inner.gradient(height, x)
print(outer.gradient(slope, x))
