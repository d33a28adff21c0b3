import tensorflow as tf

temperature = tf.Variable(1.0)
logits = tf.constant([2.0, 0.5, -1.0])


def entropy(logits):
    temperature = tf.Variable(2.0)
    p = tf.nn.softmax(logits / temperature)
    return -tf.reduce_sum(p * tf.math.log(p))


with tf.GradientTape() as tape:
    h = entropy(logits)
print(tape.gradient(h, temperature))
