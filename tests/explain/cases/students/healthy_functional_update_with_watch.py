import tensorflow as tf

x = tf.constant([2.0, -1.5])
path = [x.numpy()]

for _ in range(4):
    with tf.GradientTape() as tape:
        tape.watch(x)
        bowl = tf.reduce_sum(x**2 * [1.0, 3.0])
    x = x - 0.1 * tape.gradient(bowl, x)
    path.append(x.numpy())
print("path:", [p.round(2).tolist() for p in path])
