import tensorflow as tf

tf.keras.utils.set_random_seed(9)
dense = tf.keras.layers.Dense(1)
raw = tf.constant([[10.0, 200.0], [30.0, 100.0]])
scaled = (raw - tf.reduce_mean(raw, axis=0)) / tf.math.reduce_std(raw, axis=0)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(raw)
    price = dense(scaled)
print(tape.gradient(price, scaled))
