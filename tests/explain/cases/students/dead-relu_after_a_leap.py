import tensorflow as tf

area = tf.constant([[50.0], [80.0], [120.0]])
price = tf.constant([[500.0], [790.0], [1210.0]])
kernel = tf.Variable([[0.5, 0.3]])
bias = tf.Variable([0.0, 0.0])
head = tf.Variable([[0.4], [0.2]])
for step in range(6):
    with tf.GradientTape() as tape:
        hidden = tf.nn.relu(area @ kernel + bias)
        loss = tf.reduce_mean((hidden @ head - price) ** 2)
    slopes = tape.gradient(loss, [kernel, bias])
    kernel.assign_add(-0.01 * slopes[0])
    bias.assign_add(-0.01 * slopes[1])
print(kernel.numpy(), bias.numpy())
