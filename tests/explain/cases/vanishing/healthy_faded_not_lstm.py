import tensorflow as tf

tf.keras.utils.set_random_seed(44)
model = tf.keras.Sequential([tf.keras.layers.LSTM(24), tf.keras.layers.Dense(10)])
rows = tf.random.uniform([16, 28, 28])
digits = tf.random.uniform([16], maxval=10, dtype=tf.int32)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = loss_fn(digits, model(rows))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
