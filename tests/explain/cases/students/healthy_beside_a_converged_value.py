import tensorflow as tf

values = tf.constant([1.0, 2.0, 4.5])
level = tf.Variable(0.0)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((values - level) ** 2)
    level.assign_sub(0.5 * tape.gradient(loss, level))
print(level.numpy())
