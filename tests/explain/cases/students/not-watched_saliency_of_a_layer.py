import tensorflow as tf

tf.random.set_seed(3)
dense = tf.keras.layers.Dense(3, activation="tanh")
photo = tf.random.uniform([1, 5])
dense(photo)


def saliency(image, unit):
    with tf.GradientTape() as tape:
        activation = dense(image)[0, unit]
    return tape.gradient(activation, image)


print("most important pixel:", saliency(photo, unit=1))
