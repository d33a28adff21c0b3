import tensorflow as tf

tf.keras.utils.set_random_seed(4)
trunk = tf.Variable(tf.random.normal([3, 4], stddev=0.5), name="trunk")
price = tf.Variable(tf.random.normal([4, 1], stddev=0.5), name="price")
age = tf.Variable(tf.random.normal([4, 1], stddev=0.5), name="age")
x = tf.random.normal([6, 3])
wanted = tf.random.normal([6, 1])

for step in range(6):
    head = price if step % 2 == 0 else age
    with tf.GradientTape() as tape:
        out = tf.matmul(tf.tanh(tf.matmul(x, trunk)), head)
        loss = tf.reduce_mean((out - wanted) ** 2)
    grads = tape.gradient(loss, [trunk, price, age])
    for p, g in zip([trunk, price, age], grads):
        if g is not None:
            p.assign_sub(0.05 * g)
print(loss.numpy())
