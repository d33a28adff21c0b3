import tensorflow as tf

threshold = tf.Variable(10.0)
growth = tf.Variable(1.5)

with tf.GradientTape() as tape:
    size = tf.constant(1.0)
    while size < threshold:
        size = size * growth
    waste = (size - 9.0) ** 2

grads = tape.gradient(waste, [threshold, growth])
print("size:", size.numpy(), "grads:", grads)
