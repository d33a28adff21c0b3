import tensorflow as tf

tf.keras.utils.set_random_seed(52)
model = tf.keras.Sequential()
for _ in range(10):
    model.add(tf.keras.layers.Dense(32, use_bias=False, kernel_initializer="he_normal"))
    model.add(tf.keras.layers.BatchNormalization())
    model.add(tf.keras.layers.ReLU())
model.add(tf.keras.layers.Dense(1))
x = 100.0 * tf.random.normal([48, 12])
y = tf.random.normal([48, 1])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    for v, g in zip(model.trainable_variables, grads):
        v.assign_sub(0.01 * g)
