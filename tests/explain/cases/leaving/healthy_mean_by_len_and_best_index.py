import tensorflow as tf

scores = tf.Variable([0.2, 1.4, -0.3])
weight = tf.Variable(0.7)

with tf.GradientTape() as tape:
    logits = scores / 0.5
    count = len(logits)
    mean = tf.reduce_sum(logits) / float(count)
    best = int(tf.argmax(logits))
    margin = logits[best] - mean
    loss = tf.nn.softplus(-margin) + weight**2 / (best + 1)

print([g.numpy() for g in tape.gradient(loss, [scores, weight])])
