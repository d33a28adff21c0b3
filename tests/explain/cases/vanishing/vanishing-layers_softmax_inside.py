import tensorflow as tf

tf.keras.utils.set_random_seed(7)
model = tf.keras.Sequential()
for units in (6, 6, 6, 6, 6):
    model.add(tf.keras.layers.Dense(units, activation="softmax"))
model.add(tf.keras.layers.Dense(1))

x = tf.random.normal([64, 5])
y = x[:, :1] * x[:, 1:2]
mse = tf.keras.losses.MeanSquaredError()
with tf.GradientTape() as tape:
    loss = mse(y, model(x))
grads = tape.gradient(loss, [layer.bias for layer in model.layers[1:]])
print([float(tf.reduce_max(tf.abs(g))) for g in grads])
