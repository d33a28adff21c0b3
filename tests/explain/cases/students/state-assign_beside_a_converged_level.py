import tensorflow as tf

values = tf.constant([1.0, 2.0, 4.5, 3.0])
rate = tf.Variable(0.3)
level = tf.Variable(0.0)
memory = tf.Variable(1.0, trainable=False)
for step in range(25):
    memory.assign(1.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((values - level) ** 2)
        memory.assign(memory * rate)
        loss += memory
    slopes = tape.gradient(loss, [rate, level])
    level.assign_sub(0.5 * slopes[1])
print(rate.numpy(), level.numpy())
