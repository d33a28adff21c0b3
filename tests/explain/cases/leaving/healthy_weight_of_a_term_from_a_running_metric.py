import tensorflow as tf

a = tf.Variable(1.5)
b = tf.Variable(-0.5)
scale = tf.keras.metrics.Mean()
optimizer = tf.keras.optimizers.SGD(0.05)

for step in range(3):
    with tf.GradientTape() as tape:
        first = tf.square(a - 1.0)
        second = tf.square(a + b) + 0.1
        typical = scale.result() if step else 1.0
        loss = first + second / (1.0 + typical)
    scale.update_state(second)
    grads = tape.gradient(loss, [a, b])
    optimizer.apply_gradients(zip(grads, [a, b]))
    print(step, loss.numpy())
