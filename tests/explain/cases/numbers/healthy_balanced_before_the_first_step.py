import tensorflow as tf

x = tf.constant([-2.0, -1.0, 1.0, 2.0])
y = tf.constant([0.0, 0.0, 1.0, 1.0])
slope = tf.Variable(0.0)
shift = tf.Variable(0.0)
optimizer = tf.keras.optimizers.SGD(0.7)

noisy = tf.constant([-2.0, -1.0, 1.3, 2.0])
for epoch, batch in enumerate([x, noisy, noisy]):
    with tf.GradientTape() as tape:
        logits = slope * batch + shift
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits))
    grads = tape.gradient(loss, [slope, shift])
    optimizer.apply_gradients(zip(grads, [slope, shift]))
    print(epoch, float(loss))
