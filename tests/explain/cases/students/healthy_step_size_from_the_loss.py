import tensorflow as tf

x = tf.Variable([1.5, -0.5])
lowest = 0.0
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.abs(x) ** 1.5) + 0.1 * tf.reduce_sum(x**2)
    slope = tape.gradient(loss, x)
    size = float(loss - lowest) / float(tf.reduce_sum(slope**2))
    x = tf.Variable(x - min(size, 0.3) * slope)
print(x.numpy(), float(loss))
