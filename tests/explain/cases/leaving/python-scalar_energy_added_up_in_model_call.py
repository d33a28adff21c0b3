import tensorflow as tf


class Energy(tf.keras.Model):
    def __init__(self, terms):
        super().__init__()
        self.terms = [tf.keras.layers.Dense(1, use_bias=False) for _ in range(terms)]

    def call(self, state):
        energy = 0.0
        for term in self.terms:
            energy += float(tf.reduce_sum(term(state) ** 2))
        return tf.constant(energy)


tf.keras.utils.set_random_seed(17)
model = Energy(2)
state = tf.constant([[0.3, -1.2, 0.8]])
with tf.GradientTape() as tape:
    energy = model(state)
    loss = tf.square(energy - 0.1)

print(loss.numpy())
print(tape.gradient(loss, model.trainable_variables))
