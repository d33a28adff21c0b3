import tensorflow as tf

tf.keras.utils.set_random_seed(1)
main = tf.keras.layers.Dense(2, use_bias=False)
x = tf.constant([[1.0, -1.0, 0.5]])
main(x)
maker = tf.Variable(tf.random.normal([4, 6], stddev=0.3))
code = tf.constant([[0.2, 0.5, -0.1, 0.9]])

with tf.GradientTape() as tape:
    weights = tf.reshape(tf.matmul(code, maker), [3, 2])
    main.kernel.assign(weights)
    out = main(x)
    loss = tf.reduce_sum((out - 1.0) ** 2)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, maker))
