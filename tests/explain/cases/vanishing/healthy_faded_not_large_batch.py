import tensorflow as tf

tf.keras.utils.set_random_seed(48)
x = tf.random.normal([20000, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh") for _ in range(4)])
model.add(tf.keras.layers.Dense(1))
for _ in range(2):
    with tf.GradientTape() as tape:
        per_example = tf.reduce_mean((model(x) - y) ** 2, axis=1)
        loss = tf.reduce_mean(per_example)
    grads = tape.gradient(loss, model.trainable_variables)
    for v, g in zip(model.trainable_variables, grads):
        v.assign_sub(0.1 * g)
