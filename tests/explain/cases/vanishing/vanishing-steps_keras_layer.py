import tensorflow as tf

tf.keras.utils.set_random_seed(12)
recurrent = tf.keras.layers.SimpleRNN(12, activation="sigmoid")
head = tf.keras.layers.Dense(1)

signal = tf.random.normal([6, 80, 2])
answer = signal[:, 0, :1]
optimizer = tf.keras.optimizers.Adam(0.01)
for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((head(recurrent(signal)) - answer) ** 2)
    weights = recurrent.trainable_weights + head.trainable_weights
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
