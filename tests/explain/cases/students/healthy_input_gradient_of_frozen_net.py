import tensorflow as tf

tf.keras.utils.set_random_seed(12)
net = tf.keras.Sequential(
    [tf.keras.layers.Dense(5, activation="tanh"), tf.keras.layers.Dense(3, activation="softmax")]
)
image = tf.random.uniform([1, 4])
net(image)
net.trainable = False
label = int(tf.argmax(net(image), axis=1)[0])

adversarial = image
for _ in range(2):
    with tf.GradientTape() as tape:
        tape.watch(adversarial)
        loss = -tf.math.log(net(adversarial)[0, label])
    slope = tape.gradient(loss, adversarial)
    adversarial = tf.clip_by_value(adversarial + 0.1 * tf.sign(slope), 0.0, 1.0)
print("label:", label, "moved by", float(tf.reduce_max(tf.abs(adversarial - image))))
