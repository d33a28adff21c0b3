import tensorflow as tf

tf.random.set_seed(1)
hidden = tf.keras.layers.Dense(
    4, activation="relu", bias_initializer=tf.keras.initializers.Constant(-9.0), name="hidden"
)
model = tf.keras.Sequential([hidden, tf.keras.layers.Dense(1, name="head")])
x = tf.random.normal([8, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(model(x) - y))
grads = tape.gradient(loss, model.trainable_variables)
