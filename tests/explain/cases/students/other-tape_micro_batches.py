import tensorflow as tf

scale = tf.Variable(1.2)
batches = [tf.constant([1.0, 2.0]), tf.constant([3.0, 1.0]), tf.constant([0.5, 0.5])]
total = 0.0

for batch in batches:
    with tf.GradientTape() as tape:
        error = scale * batch - 2.0
        total = total + tf.reduce_sum(error * error)

grad = tape.gradient(total, scale)
print("total over all batches:", total.numpy(), "gradient:", grad.numpy())
