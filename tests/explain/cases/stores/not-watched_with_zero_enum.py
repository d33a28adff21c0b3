import tensorflow as tf


def saliency(model, image):
    with tf.GradientTape() as tape:
        score = tf.reduce_max(model(image))
    return tape.gradient(score, image, unconnected_gradients=tf.UnconnectedGradients.ZERO)


tf.keras.utils.set_random_seed(0)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(3)])
image = tf.random.uniform([1, 6])
heat = saliency(model, image)
print("brightest pixel", int(tf.argmax(tf.abs(heat[0]))), heat.numpy())
