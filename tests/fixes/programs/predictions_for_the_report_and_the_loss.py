import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
x = tf.constant([[1.0, 2.0], [3.0, -1.0]])
out = model.predict(x, verbose=0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((tf.constant(out) - 0.3) ** 2)
print(tape.gradient(loss, model.trainable_variables))
