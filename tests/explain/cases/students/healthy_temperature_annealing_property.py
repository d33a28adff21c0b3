import tensorflow as tf


class Annealed:
    def __init__(self):
        self.logits = tf.Variable([0.2, 0.1, -0.4])
        self.step = tf.Variable(0, trainable=False)

    @property
    def temperature(self):
        return max(0.5, 1.0 - 0.1 * float(self.step))

    def loss(self):
        self.step.assign_add(1)
        p = tf.nn.softmax(self.logits / self.temperature)
        return -tf.reduce_sum(p * tf.constant([1.0, 0.0, 0.5]))


model = Annealed()
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = model.loss()
    model.logits.assign_sub(0.5 * tape.gradient(loss, model.logits))
print(model.logits.numpy())
