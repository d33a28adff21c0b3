import tensorflow as tf

tf.keras.utils.set_random_seed(31)
model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2, activation="softmax")])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()
mean_loss = tf.keras.metrics.Mean()
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
optimizer = tf.keras.optimizers.Adam(0.05)
x = tf.constant([[0.1, 0.2, 0.3], [1.0, 0.0, -1.0], [0.5, 0.5, 0.0]])
y = tf.constant([0, 1, 1])

for epoch in range(3):
    mean_loss.reset_state()
    with tf.GradientTape() as tape:
        predictions = model(x, training=True)
        loss = loss_fn(y, predictions)
        mean_loss(loss)
        accuracy.update_state(y, predictions)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(epoch, mean_loss.result().numpy(), float(accuracy.result()))
