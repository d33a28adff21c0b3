import tensorflow as tf


class Temperature(tf.keras.layers.Layer):
    def __init__(self, start=2.0, learn=False):
        super().__init__()
        self.start = start
        self.learn = learn

    def build(self, shape):
        self.temperature = self.add_weight(
            name="temperature",
            shape=(),
            initializer=tf.keras.initializers.Constant(self.start),
            trainable=self.learn,
        )

    def call(self, logits):
        return logits / self.temperature


soften = Temperature()
logits = tf.constant([[2.0, 1.0, -1.0]])
with tf.GradientTape() as tape:
    loss = -tf.nn.log_softmax(soften(logits))[0, 0]
print(tape.gradient(loss, soften.temperature))
