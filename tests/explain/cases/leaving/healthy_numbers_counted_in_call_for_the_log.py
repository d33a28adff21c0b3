import tensorflow as tf


class Counting(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = [tf.keras.layers.Dense(3, activation="tanh") for _ in range(2)]
        self.head = tf.keras.layers.Dense(1)
        self.seen = 0
        self.norms = []

    def call(self, x):
        total = 0.0
        for layer in self.hidden:
            x = layer(x)
            total += float(tf.norm(x))
        self.norms.append(total)
        self.seen += len(x)
        return self.head(x)


tf.keras.utils.set_random_seed(2)
model = Counting()
optimizer = tf.keras.optimizers.Adam(0.01)
x = tf.constant([[0.1, 0.5], [0.9, -0.4]])
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - 1.0) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(step, float(loss), "norms", model.norms[-1], "seen", model.seen)
