import tensorflow as tf

tf.keras.utils.set_random_seed(56)


def build():
    inputs = tf.keras.Input([2])
    x = tf.keras.layers.BatchNormalization(scale=False, center=False)(inputs)
    outputs = tf.keras.layers.Dense(1, use_bias=False)(x)
    return tf.keras.Model(inputs, outputs)


model = build()
variables = model.trainable_variables + model.non_trainable_variables
x = tf.random.normal([5, 2])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x, training=True) - 1.0) ** 2)
print(tape.gradient(loss, variables))
