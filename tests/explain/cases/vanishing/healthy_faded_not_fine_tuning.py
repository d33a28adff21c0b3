import tensorflow as tf

tf.keras.utils.set_random_seed(47)
body = tf.keras.Sequential(
    [tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(32, activation="relu")]
)
head = tf.keras.layers.Dense(3)
x = tf.random.normal([40, 12])
labels = tf.random.uniform([40], maxval=3, dtype=tf.int32)
body(x)
optimizer = tf.keras.optimizers.Adam(learning_rate=1e-5)
for _ in range(15):
    with tf.GradientTape() as tape:
        logits = head(body(x))
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    variables = body.trainable_variables + head.trainable_variables
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
