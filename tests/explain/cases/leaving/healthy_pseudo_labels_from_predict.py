import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
model = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(5, activation="tanh"), tf.keras.layers.Dense(2)]
)
rng = np.random.default_rng(3)
labelled = rng.normal(size=(4, 3)).astype("float32")
labels = np.array([0, 1, 1, 0])
unlabelled = rng.normal(size=(10, 3)).astype("float32")
entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.02)

for step in range(2):
    with tf.GradientTape() as tape:
        loss = entropy(labels, model(labelled))
        guesses = model.predict(unlabelled, verbose=0)
        pseudo = np.argmax(guesses, axis=1)
        noisy = unlabelled + 0.1 * rng.normal(size=unlabelled.shape).astype("float32")
        loss += 0.5 * entropy(pseudo, model(noisy))
    weights = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    print(step, float(loss))
