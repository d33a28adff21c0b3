import tensorflow as tf

tf.random.set_seed(0)
model = tf.keras.Sequential([tf.keras.layers.Input([6]), tf.keras.layers.Dense(4)])


def to_label(scores):
    levels = tf.cast(scores * 100, tf.int32)
    return tf.cast(tf.argmax(levels, axis=1), tf.float32)


x = tf.random.normal([8, 6])
y = tf.ones([8])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((to_label(model(x)) - y) ** 2)
print(tape.gradient(loss, model.trainable_variables))
