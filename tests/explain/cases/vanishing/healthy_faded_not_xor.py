import tensorflow as tf

tf.random.set_seed(45)
x = tf.constant([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = tf.constant([[0.0], [1.0], [1.0], [0.0]])
w1 = tf.Variable(tf.random.normal([2, 8]))
b1 = tf.Variable(tf.zeros([8]))
w2 = tf.Variable(tf.random.normal([8, 1]))
b2 = tf.Variable(tf.zeros([1]))
variables = [w1, b1, w2, b2]
for epoch in range(400):
    with tf.GradientTape() as tape:
        hidden = tf.sigmoid(x @ w1 + b1)
        logits = hidden @ w2 + b2
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(5.0 * g)
print(float(loss))
