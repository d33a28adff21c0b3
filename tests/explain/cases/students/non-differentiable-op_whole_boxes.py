import tensorflow as tf

eggs = tf.Variable(50.0)

with tf.GradientTape() as tape:
    boxes = eggs // 12.0
    shipping = 3.5 * boxes + 2.0

print("shipping:", shipping.numpy(), "per egg:", tape.gradient(shipping, eggs))
