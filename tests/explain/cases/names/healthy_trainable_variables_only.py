import tensorflow as tf

tf.keras.utils.set_random_seed(41)
model = tf.keras.Sequential(
    [tf.keras.layers.Input([3]), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)]
)
x = tf.random.normal([8, 3])
y = tf.random.normal([8, 1])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
print(tape.gradient(loss, model.trainable_variables))
