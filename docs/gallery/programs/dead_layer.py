import tensorflow as tf

tf.random.set_seed(1)
cold = tf.keras.initializers.Constant(-9.0)
hidden = tf.keras.layers.Dense(4, "relu", bias_initializer=cold, name="hidden")
head = tf.keras.layers.Dense(1, name="head")
x = tf.random.normal([8, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)
with tf.GradientTape() as tape:
    error = head(hidden(x)) - y
    loss = tf.reduce_mean(error**2)
weights = hidden.trainable_variables
weights += head.trainable_variables
grads = tape.gradient(loss, weights)
