import tensorflow as tf

tf.random.set_seed(1)
images = tf.random.normal([8, 12, 12, 1])
labels = tf.constant([0, 1, 2, 0, 1, 2, 0, 1])
model = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(4, 3, activation="relu", name="edges"),
        tf.keras.layers.MaxPooling2D(2),
        tf.keras.layers.Conv2D(8, 3, activation="relu", name="shapes"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(3, name="scores"),
    ]
)
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)
model(images)  # creates the weights
for step in range(3):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(images, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
print("loss", float(loss))
