import tensorflow as tf

vectors = tf.Variable([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6], [-0.7, 0.8]])
sentences = [[1, 3], [3]]
labels = [1.0, 0.0]

with tf.GradientTape() as tape:
    loss = 0.0
    for ids, label in zip(sentences, labels):
        mood = tf.reduce_sum(tf.gather(vectors, ids))
        loss += tf.nn.sigmoid_cross_entropy_with_logits(labels=label, logits=mood)

grad = tf.convert_to_tensor(tape.gradient(loss, vectors))
vectors.assign_sub(0.1 * grad)
print("rows that moved:", [i for i, row in enumerate(grad.numpy()) if abs(row).max() > 0])
