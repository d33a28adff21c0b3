"""Both towers are run in each round, on its tape."""
import tensorflow as tf

tf.random.set_seed(5)
users = tf.keras.layers.Dense(3)
items = tf.keras.layers.Dense(3)
u, v = tf.random.normal((8, 5)), tf.random.normal((8, 5))
labels = tf.constant([1.0, 0.0] * 4)

for epoch in range(3):
    with tf.GradientTape() as tape:
        towers = tf.reduce_sum(users(u) * items(v), axis=1)
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=towers))
    variables = users.trainable_variables + items.trainable_variables
    print(epoch, [g is None for g in tape.gradient(loss, variables)])
