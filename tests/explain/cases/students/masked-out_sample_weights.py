import tensorflow as tf

slope, offset = tf.Variable(2.0), tf.Variable(0.0)
data = [(1.0, 2.2), (2.0, 4.1), (3.0, 5.7)]
importance = [0.0] * len(data)


def weighted_loss():
    loss = 0.0
    for (x, y), weight in zip(data, importance):
        loss += weight * (slope * x + offset - y) ** 2
    return loss


with tf.GradientTape() as tape:
    total = weighted_loss()
print("total:", total.numpy(), tape.gradient(total, [slope, offset]))
