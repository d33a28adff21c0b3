import tensorflow as tf

tf.keras.utils.set_random_seed(9)
base = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3, activation="tanh")])
base.trainable = False
model = tf.keras.Sequential([tf.keras.Input((4,)), base, tf.keras.layers.Dense(1)])

x = tf.random.normal((8, 4), seed=2)
y = tf.reduce_sum(x, axis=1, keepdims=True)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - y) ** 2)
print([g.shape for g in tape.gradient(loss, model.trainable_variables)])
