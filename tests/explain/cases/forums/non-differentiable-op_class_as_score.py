import numpy as np
import tensorflow as tf

clf = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(7), tf.keras.layers.Softmax()])
photo = tf.constant(np.random.RandomState(2).rand(1, 6, 6, 1).astype("float32"))


def saliency_map(model, image):
    with tf.GradientTape() as tape:
        tape.watch(image)
        preds = model(image)
        top_class = tf.argmax(preds[0])
        score = tf.cast(top_class, tf.float32)
    sal = tape.gradient(score, image)
    if sal is None:
        raise SystemExit("sal is None")
    return tf.reduce_max(tf.abs(sal), axis=-1)[0]


print(saliency_map(clf, photo).shape)
