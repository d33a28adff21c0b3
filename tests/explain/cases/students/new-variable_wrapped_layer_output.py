import tensorflow as tf

tf.keras.utils.set_random_seed(4)
first = tf.keras.layers.Dense(3, activation="sigmoid")
second = tf.keras.layers.Dense(1)
x = tf.constant([[0.5, 1.0], [1.5, -1.0]])

with tf.GradientTape() as tape:
    code = tf.Variable(first(x), name="code")
    out = second(code)
    loss = tf.reduce_mean(out * out)

weights = first.trainable_variables + second.trainable_variables
print([g is not None for g in tape.gradient(loss, weights)])
