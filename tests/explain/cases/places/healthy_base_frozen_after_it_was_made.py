import tensorflow as tf

tf.keras.utils.set_random_seed(9)
base = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3, activation="tanh")])
head = tf.keras.layers.Dense(1)
base.trainable = False

x = tf.random.normal((8, 4), seed=2)
y = tf.reduce_sum(x, axis=1, keepdims=True)
head.build((None, 3))
weights = base.weights + head.weights
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((head(base(x)) - y) ** 2)
for weight, grad in zip(weights, tape.gradient(loss, weights)):
    print(weight.name, grad if grad is None else float(tf.norm(grad)))
