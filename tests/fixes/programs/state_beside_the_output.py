import tensorflow as tf

tf.keras.utils.set_random_seed(0)
lstm = tf.keras.layers.LSTM(2, return_state=True, return_sequences=True)
x = tf.reshape(tf.range(6.0), (1, 3, 2))
with tf.GradientTape() as tape:
    out, h, c = lstm(x)
    loss = tf.reduce_sum(h**2)
print(tape.gradient(loss, out))
