import tensorflow as tf

w = tf.Variable([[0.3], [0.8]])
b = tf.Variable([0.1])


def train_step(x, y):
    with tf.GradientTape() as tape:
        residual = tf.matmul(x, w) + b - y
        loss = tf.reduce_mean(tf.square(residual))
    loss += 0.01 * tf.nn.l2_loss(w)
    return tape.gradient(loss, [w, b])


print(train_step(tf.constant([[1.0, 2.0]]), tf.constant([[1.0]])))
