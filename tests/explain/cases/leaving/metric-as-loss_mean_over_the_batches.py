import tensorflow as tf

w = tf.Variable(0.5, name="w")
batches = [([1.0, 2.0], [1.0, 1.5]), ([0.5, 4.0], [0.8, 2.0])]
epoch_loss = tf.keras.metrics.Mean(name="epoch_loss")

with tf.GradientTape() as tape:
    for x, y in batches:
        batch_loss = tf.reduce_mean(tf.abs(w * tf.constant(x) - tf.constant(y)))
        epoch_loss.update_state(batch_loss)
    loss = epoch_loss.result()

gradient = tape.gradient(loss, w)
print("epoch loss:", float(loss), "gradient:", gradient)
