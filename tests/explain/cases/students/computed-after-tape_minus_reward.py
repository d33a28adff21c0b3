import tensorflow as tf

policy = tf.Variable([0.1, 0.4, -0.3])
pay = tf.constant([1.0, 0.0, 2.0])

with tf.GradientTape() as tape:
    chances = tf.nn.softmax(policy)
    reward = tf.reduce_sum(chances * pay)

step = tape.gradient(-reward, policy)
print("reward:", reward.numpy(), "step:", step)
