import tensorflow as tf

tf.random.set_seed(13)
trunk = tf.Variable(tf.random.normal([3, 4]))
heads = {"age": tf.Variable(tf.random.normal([4, 1])), "pay": tf.Variable(tf.random.normal([4, 1]))}
x = tf.random.normal([5, 3])
goals = {"age": tf.random.uniform([5, 1]), "pay": tf.random.uniform([5, 1])}
seen = []

for task in sorted(heads):
    with tf.GradientTape() as tape:
        code = tf.nn.elu(x @ trunk)
        loss = tf.reduce_mean((code @ heads[task] - goals[task]) ** 2)
    d_trunk, d_head = tape.gradient(loss, [trunk, heads[task]])
    trunk.assign_sub(0.05 * d_trunk)
    heads[task].assign_sub(0.05 * d_head)
    seen.append((task, round(float(loss), 4)))
print(seen)
