import tensorflow as tf

w = tf.Variable([[0.1], [0.2]])
b = tf.Variable([0.0])
features = [tf.constant([[1.0, 0.0]]), tf.constant([[0.0, 1.0]])]
targets = [tf.constant([[1.0]]), tf.constant([[2.0]])]
batches = zip(features, targets)


def epoch_loss():
    total = tf.constant(0.0)
    for x, y in batches:
        total = total + tf.reduce_mean((x @ w + b - y) ** 2)
    return total / 2.0


for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = epoch_loss()
    print(epoch, tape.gradient(loss, [w, b]))
