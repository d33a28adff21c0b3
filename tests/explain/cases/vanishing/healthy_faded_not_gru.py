import tensorflow as tf

tf.keras.utils.set_random_seed(43)
gru = tf.keras.layers.GRU(16, return_sequences=True)
head = tf.keras.layers.Dense(1)
x = tf.random.normal([8, 100, 3])
y = tf.cumsum(x[:, :, :1], axis=1) / 10.0
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((head(gru(x)) - y) ** 2)
    variables = gru.trainable_variables + head.trainable_variables
    grads = tape.gradient(loss, variables)
    for v, g in zip(variables, grads):
        v.assign_sub(0.05 * g)
