import tensorflow as tf

weights = tf.Variable([[40.0], [25.0]])
points = tf.constant([[1.0, 2.0], [-1.5, -1.0], [2.0, 0.5]])
labels = tf.constant([[0.0], [1.0], [0.0]])
loss_fn = tf.keras.losses.BinaryCrossentropy()

with tf.GradientTape() as tape:
    chance = tf.sigmoid(points @ weights)
    loss = loss_fn(labels, chance)
print(loss.numpy(), tape.gradient(loss, weights).numpy())
