import tensorflow as tf

offset = tf.Variable([0.0, 2.0])
goal = tf.constant([1.0, 1.0])
for step in range(4):
    with tf.GradientTape() as tape:
        safe = tf.where(offset > 0.0, tf.math.log(offset), 0.0)
        loss = tf.reduce_sum((safe - goal) ** 2)
    offset.assign_sub(0.1 * tape.gradient(loss, offset))
print(offset.numpy())
