import tensorflow as tf

tf.keras.utils.set_random_seed(17)
model = tf.keras.layers.Dense(1, activation="sigmoid")
batches = [([[0.1, 0.9]], [[1.0]]), ([[0.8, 0.3]], [[0.0]])]
optimizer = tf.keras.optimizers.SGD(0.1)
model(tf.zeros([1, 2]))

losses = []
with tf.GradientTape() as tape:
    for x, y in batches:
        losses.append(tf.reduce_mean((model(tf.constant(x)) - y) ** 2))

grads = tape.gradient(tf.reduce_mean(losses), model.trainable_variables)
print([float(loss) for loss in losses], grads)
