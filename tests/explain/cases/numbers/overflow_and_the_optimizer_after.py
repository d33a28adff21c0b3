import tensorflow as tf

levels = tf.constant([1.0, 30.0, 95.0])
rate = tf.Variable(1.0)
optimizer = tf.keras.optimizers.Adam(0.01)

for step in range(3):
    with tf.GradientTape() as tape:
        growth = tf.exp(rate * levels)
        loss = tf.reduce_mean(tf.math.log(1.0 + growth))
    optimizer.apply_gradients([(tape.gradient(loss, rate), rate)])
    print(step, rate.numpy())
