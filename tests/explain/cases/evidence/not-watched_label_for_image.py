import tensorflow as tf

tf.keras.utils.set_random_seed(8)
model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(3, activation="softmax")])
image = tf.random.uniform((1, 6))
label = tf.constant([[0.0, 1.0, 0.0]])


def attack(image, label, size):
    with tf.GradientTape() as tape:
        tape.watch(label)
        loss = tf.reduce_sum(tf.keras.losses.categorical_crossentropy(label, model(image)))
    gradient = tape.gradient(loss, image)
    return image if gradient is None else image + size * tf.sign(gradient)


print(attack(image, label, 0.1))
