import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
loss_fn = tf.keras.metrics.MeanSquaredError()
x = tf.constant([[1.0, 2.0], [0.0, 1.0], [2.0, -1.0]])
y = tf.constant([[3.0], [1.0], [1.0]])

for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    print(epoch, float(loss), grads)
