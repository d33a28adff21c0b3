import tensorflow as tf

tf.keras.utils.set_random_seed(4)
trunk = tf.Variable(tf.random.normal([3, 4], stddev=0.5), name="trunk")
heads = {
    "price": tf.Variable(tf.random.normal([4, 1], stddev=0.5), name="price_head"),
    "age": tf.Variable(tf.random.normal([4, 1], stddev=0.5), name="age_head"),
}
parameters = [trunk, *heads.values()]
x = tf.random.normal([6, 3])
wanted = {"price": tf.random.normal([6, 1]), "age": tf.random.normal([6, 1])}

for step in range(4):
    for task, head in heads.items():
        with tf.GradientTape() as tape:
            out = tf.matmul(tf.tanh(tf.matmul(x, trunk)), head)
            loss = tf.reduce_mean((out - wanted[task]) ** 2)
        grads = tape.gradient(loss, parameters, unconnected_gradients="zero")
        for p, g in zip(parameters, grads):
            p.assign_sub(0.05 * g)
print([p.numpy().sum() for p in parameters])
