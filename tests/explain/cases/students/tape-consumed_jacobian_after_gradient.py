import tensorflow as tf


class Robot(tf.Module):
    def __init__(self):
        super().__init__()
        self.joints = tf.Variable([0.3, 0.9])

    def hand(self):
        bend = tf.cumsum(self.joints)
        return tf.stack([tf.reduce_sum(tf.cos(bend)), tf.reduce_sum(tf.sin(bend))])


robot = Robot()
with tf.GradientTape() as tape:
    hand = robot.hand()
    reach = tf.norm(hand)

print("d reach:", tape.gradient(reach, robot.joints).numpy())
print("jacobian:", tape.jacobian(hand, robot.joints).numpy())
