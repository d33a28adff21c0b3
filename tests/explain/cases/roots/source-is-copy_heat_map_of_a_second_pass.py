import tensorflow as tf
from tensorflow import keras

tf.random.set_seed(0)
model = keras.Sequential(
    [
        keras.layers.Input([16, 16, 3]),
        keras.layers.Conv2D(4, 3, activation="relu", name="conv"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(3, activation="softmax"),
    ]
)
sub_model = keras.Model(model.inputs, model.get_layer("conv").output)
img = tf.random.normal([1, 16, 16, 3])
with tf.GradientTape() as tape:
    conv = sub_model(img)
    tape.watch(conv)
    preds = model(img)
    top = preds[:, tf.argmax(preds[0])]
grads = tape.gradient(top, conv)
print(grads)
