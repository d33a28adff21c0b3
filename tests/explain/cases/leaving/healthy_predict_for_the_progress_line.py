import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
x = np.linspace(0.0, 1.0, 12, dtype="float32").reshape(-1, 1)
y = (x > 0.5).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy", metrics=["accuracy"])
optimizer = tf.keras.optimizers.SGD(0.5)
history = []

for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.keras.losses.binary_crossentropy(y, model(x, training=True)))
        hits = np.mean((model.predict(x, verbose=0) > 0.5) == (y > 0.5))
        print(f"epoch {epoch}: loss {loss:.3f}, accuracy {hits:.2f}")
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    history.append(model.evaluate(x, y, verbose=0)[0])
    if len(history) > 1 and history[-1] > history[-2]:
        optimizer.learning_rate.assign(optimizer.learning_rate * 0.5)
print(history)
