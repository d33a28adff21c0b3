import tensorflow as tf

tf.random.set_seed(4)
images = tf.random.normal([10, 6])
kernel = tf.Variable(tf.random.normal([6, 3]))
digits = tf.argmax(images @ tf.random.normal([6, 3]), axis=1)

best = 1.0
for epoch in range(4):
    with tf.GradientTape() as tape:
        scores = images @ kernel
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(digits, scores))
        wrong = tf.reduce_mean(tf.cast(tf.argmax(scores, axis=1) != digits, tf.float32))
    kernel.assign_sub(0.5 * tape.gradient(loss, kernel))
    best = min(best, float(wrong))
    if wrong == 0.0:
        break
print(best)
