import tensorflow as tf

joints = tf.Variable([0.3, 0.6])

with tf.GradientTape() as kinematics:
    elbow = tf.stack([tf.cos(joints[0]), tf.sin(joints[0])])
with tf.GradientTape() as tape:
    hand = elbow * 2.0

moves = tape.jacobian(hand, joints, unconnected_gradients="zero")
print(moves.numpy())
