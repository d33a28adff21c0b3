import tensorflow as tf

tf.keras.utils.set_random_seed(29)
x = tf.random.normal([60, 4])
labels = tf.random.uniform([60], maxval=2, dtype=tf.int32)
hidden = tf.keras.layers.Dense(10, activation="tanh")
head = tf.keras.layers.Dense(2)
optimizer = tf.keras.optimizers.SGD(learning_rate=1000.0)
for epoch in range(4):
    with tf.GradientTape() as tape:
        logits = head(hidden(x))
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        )
    variables = head.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
