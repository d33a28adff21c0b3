import tensorflow as tf

tf.keras.utils.set_random_seed(14)
model = tf.keras.layers.Dense(1, use_bias=False)
average = tf.keras.layers.Dense(1, use_bias=False)
x = tf.constant([[1.0, 2.0], [3.0, -1.0]])
model(x), average(x)

for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((average(x) - 1.0) ** 2)
    grad = tape.gradient(loss, model.kernel)
    print(step, grad)
    average.kernel.assign(0.9 * average.kernel + 0.1 * model.kernel)
