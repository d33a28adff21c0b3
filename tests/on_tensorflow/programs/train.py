import tensorflow as tf

tf.keras.utils.set_random_seed(0)
x = tf.random.normal([64, 3])
y = tf.cast(tf.reduce_sum(x, axis=1, keepdims=True) > 0.0, tf.float32)


def misses(y_true, y_pred):
    return tf.reduce_mean(tf.abs(y_true - tf.round(y_pred)))


model = tf.keras.Sequential([tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1, "sigmoid")])
model.compile("adam", loss=misses)
model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(16), verbose=0)
