import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
net = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2, activation="softmax")])
optimizer = tf.keras.optimizers.SGD(0.1)
rng = np.random.default_rng(13)
x = rng.normal(size=(6, 3)).astype("float32")
y = tf.one_hot([0, 1, 0, 1, 1, 0], 2)

for epoch in range(2):
    with tf.GradientTape() as tape:
        predicted = net(x, training=True)
        supervised = tf.reduce_mean(tf.keras.losses.categorical_crossentropy(y, predicted))
        calm = net.predict(x + 0.05, verbose=0)  # the goal for the noisy answers, no slope wanted
        restless = net(x - 0.05, training=True)
        consistency = tf.reduce_mean(tf.square(restless - calm))
        loss = supervised + 2.0 * consistency
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    print("epoch", epoch, "loss", float(loss))
