import tensorflow as tf

tf.keras.utils.set_random_seed(2)
embed = tf.keras.layers.Embedding(3, 4)
body = tf.keras.layers.Dense(2)


def generate(noise, label):
    return body(tf.concat([noise, embed(label)], axis=1))


noise = tf.random.normal((5, 3))
label = tf.random.uniform((5,), 0, 3, tf.int32)
with tf.GradientTape() as tape:
    tape.watch([noise, label])
    brightness = tf.reduce_sum(generate(noise, label) ** 2)
by_noise, by_label = tape.gradient(brightness, [noise, label])
print(tf.norm(by_noise).numpy(), by_label)
