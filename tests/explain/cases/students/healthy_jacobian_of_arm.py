import tensorflow as tf

joints = tf.Variable([0.4, 0.8])
lengths = tf.constant([1.0, 0.7])
target = tf.constant([0.9, 1.1])

for _ in range(3):
    with tf.GradientTape() as tape:
        bend = tf.cumsum(joints)
        hand = tf.stack(
            [tf.reduce_sum(lengths * tf.cos(bend)), tf.reduce_sum(lengths * tf.sin(bend))]
        )
    jacobian = tape.jacobian(hand, joints)
    step = tf.linalg.matvec(jacobian, target - hand, transpose_a=True)
    joints.assign_add(0.5 * step)
print("hand:", hand.numpy())
