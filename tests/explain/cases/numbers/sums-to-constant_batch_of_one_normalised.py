import tensorflow as tf

tf.keras.utils.set_random_seed(1)
dense = tf.keras.layers.Dense(4, use_bias=False)
norm = tf.keras.layers.BatchNormalization()
head = tf.keras.layers.Dense(1)
samples = tf.constant([[0.2, 0.7, 0.1], [0.9, 0.4, 0.3]])
targets = tf.constant([[1.0], [0.0]])
dense.build([None, 3])

for sample, target in zip(samples, targets):
    with tf.GradientTape() as tape:
        hidden = norm(dense(sample[None, :]), training=True)
        loss = tf.reduce_mean((head(tf.tanh(hidden) + 0.1) - target) ** 2)
    grads = tape.gradient(loss, [dense.kernel, *head.trainable_variables])
    print([float(tf.norm(g)) for g in grads])
