import tensorflow as tf

tf.keras.utils.set_random_seed(2)
base = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.BatchNormalization()])
head = tf.keras.layers.Dense(1)
x = tf.random.normal([6, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)
head(base(x, training=True))

for step in range(3):
    with tf.GradientTape() as tape:
        features = base(x, training=False)
        loss = tf.reduce_mean((head(features) - y) ** 2)
    weights = base.trainable_variables + head.trainable_variables
    for weight, grad in zip(weights, tape.gradient(loss, weights)):
        weight.assign_sub(0.05 * grad)
print(float(loss))
