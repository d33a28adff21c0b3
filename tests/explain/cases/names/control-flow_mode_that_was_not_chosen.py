import tensorflow as tf

tf.keras.utils.set_random_seed(2)


class Pooling(tf.keras.Model):
    def __init__(self, mode):
        super().__init__()
        self.mode = mode
        self.body = tf.keras.layers.Dense(4, activation="tanh")
        self.gate = tf.keras.layers.Dense(1)
        self.build_layers()

    def build_layers(self):
        self.body.build((None, 3))
        self.gate.build((None, 4))

    def call(self, x):
        h = self.body(x)
        if self.mode == "attention":
            weights = tf.nn.softmax(self.gate(h), axis=0)
            return tf.reduce_sum(weights * h, axis=0)
        return tf.reduce_mean(h, axis=0)


model = Pooling("attentive")
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(model(tf.random.normal((5, 3))) ** 2)
variables = model.body.trainable_variables + model.gate.trainable_variables
print(tape.gradient(loss, variables))
