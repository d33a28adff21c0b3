"""Two classes on a ring, with a deep network of sigmoid layers."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
points = tf.random.normal([64, 2])
inside = tf.cast(tf.reduce_sum(points**2, axis=1, keepdims=True) < 1.5, tf.float32)

hidden = [tf.keras.layers.Dense(32, activation="sigmoid") for _ in range(6)]
model = tf.keras.Sequential([*hidden, tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)

for step in range(5):
    with tf.GradientTape() as tape:
        logits = model(points)
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=inside, logits=logits))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
