import tensorflow as tf

w = tf.Variable([[0.3], [-0.2]])
extras = []
data = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.0]])
labels = tf.constant([[1.0], [0.0], [1.0]])

with tf.GradientTape() as tape:
    loss = tf.reduce_mean((data @ w - labels) ** 2)
    for factor, term in extras:
        loss += factor * term(w)
print(tape.gradient(loss, w))
