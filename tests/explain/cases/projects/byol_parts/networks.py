import tensorflow as tf


def build_encoder():
    return tf.keras.Sequential(
        [
            tf.keras.Input((12,)),
            tf.keras.layers.Dense(16, activation="gelu"),
            tf.keras.layers.Dense(6),
        ]
    )


def build_predictor():
    return tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(6)])


def copy_weights(source, destination):
    destination.set_weights(source.get_weights())


def ema_update(source, destination, decay):
    for s, d in zip(source.variables, destination.variables):
        d.assign(decay * d + (1.0 - decay) * s)
