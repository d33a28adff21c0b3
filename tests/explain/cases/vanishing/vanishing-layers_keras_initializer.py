import tensorflow as tf

tf.keras.utils.set_random_seed(5)


def build(depth, units):
    model = tf.keras.Sequential()
    for _ in range(depth):
        start = tf.keras.initializers.RandomNormal(stddev=0.025)
        model.add(tf.keras.layers.Dense(units, activation="relu", kernel_initializer=start))
    model.add(tf.keras.layers.Dense(3))
    return model


model = build(depth=6, units=64)
x = tf.random.normal([32, 10])
labels = tf.constant([0, 1, 2, 0] * 8)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-3)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(x))
    biases = [v for v in model.trainable_variables if len(v.shape) == 1]
    grads = tape.gradient(loss, biases)
    optimizer.apply_gradients(zip(grads, biases))
