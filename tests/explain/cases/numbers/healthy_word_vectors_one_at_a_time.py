import tensorflow as tf

cat = tf.Variable([0.2, 0.1], name="cat")
dog = tf.Variable([0.1, 0.3], name="dog")
fish = tf.Variable([-0.2, 0.4], name="fish")
table = [cat, dog, fish]
context = tf.constant([1.0, -0.5])

for label in [0, 2, 1, 0, 2]:
    chosen = tf.one_hot(label, 3)
    with tf.GradientTape() as tape:
        vectors = tf.stack(table)
        picked = tf.reduce_sum(chosen[:, None] * vectors, axis=0)
        loss = (tf.reduce_sum(picked * context) - 1.0) ** 2
    grads = tape.gradient(loss, table)
    for vector, grad in zip(table, grads):
        vector.assign_sub(0.3 * grad)
print([v.numpy().tolist() for v in table])
