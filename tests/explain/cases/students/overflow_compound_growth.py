import tensorflow as tf

growth = tf.Variable(30.0)

with tf.GradientTape() as tape:
    size = tf.constant(1.0)
    for day in range(30):
        size = size * growth
    loss = tf.square(size - 100.0)

print("size:", size.numpy(), "grad:", tape.gradient(loss, growth).numpy())
