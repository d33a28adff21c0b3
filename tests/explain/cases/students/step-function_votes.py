import tensorflow as tf

w = tf.Variable([0.4, -0.6])
b = tf.Variable(0.05)
voters = tf.constant([[1.0, 0.2], [0.3, 0.9], [0.8, 0.8]])
truth = tf.constant([1.0, -1.0, 1.0])

with tf.GradientTape() as tape:
    margin = tf.linalg.matvec(voters, w) + b
    vote = tf.sign(margin)
    loss = tf.reduce_mean(tf.square(vote - truth))

print("loss:", loss.numpy(), [g.numpy() for g in tape.gradient(loss, [w, b])])
