import tensorflow as tf

tf.keras.utils.set_random_seed(4)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)]
)
optimizer = tf.keras.optimizers.Adam(0.01)
loss_fn = tf.keras.losses.MeanSquaredError()
running = tf.Variable(0.0, trainable=False)
x = tf.constant([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = tf.constant([[1.0], [1.0], [0.0]])
for step in range(3):
    with tf.GradientTape() as tape:
        prediction = model(x, training=True)
        loss = loss_fn(y, prediction)
        running.assign(0.9 * running + 0.1 * loss)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    accuracy = tf.reduce_mean(tf.cast((prediction > 0.5) == (y > 0.5), tf.float32))
    print(step, float(loss), float(accuracy))
