import tensorflow as tf

scores = tf.Variable([0.3, 0.9, 0.4])
groups = tf.constant([0, 1, 1])


def group_mean(values, member_of, group):
    mask = tf.cast(tf.equal(member_of, group), tf.float32)
    return tf.reduce_sum(values * mask) / tf.reduce_sum(mask)


with tf.GradientTape() as tape:
    total = tf.add_n([group_mean(scores, groups, g) for g in range(3)])

print("total:", total.numpy(), "grad:", tape.gradient(total, scores).numpy())
