import tensorflow as tf

tf.keras.utils.set_random_seed(7)
x = tf.random.normal([12, 3])
labels = tf.cast(x[:, 0] > 0.0, tf.float32)[:, None]
model = tf.keras.Sequential([tf.keras.layers.Dense(1, activation="sigmoid")])


def loss_of(labels, chance):
    hits = tf.equal(tf.round(chance), labels)
    return 1.0 - tf.reduce_mean(tf.cast(hits, tf.float32))


with tf.GradientTape() as tape:
    loss = loss_of(labels, model(x))
grads = tape.gradient(loss, model.trainable_variables)
print(float(loss), grads)
