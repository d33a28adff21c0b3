import tensorflow as tf


class Field:
    def __init__(self):
        self.charge = tf.Variable([0.5, -0.2, 0.1], name="charge")
        self.place = tf.constant([0.0, 1.0, 2.0])
        self._potential = None

    def potential(self):
        if self._potential is None:
            distance = tf.abs(self.place[:, None] - self.place[None, :]) + 1.0
            self._potential = tf.reduce_sum(self.charge / distance, axis=1)
        return self._potential

    def loss(self, wanted):
        return tf.reduce_sum((self.potential() - wanted) ** 2)


field = Field()
wanted = tf.constant([0.3, 0.3, 0.3])
for step in range(3):
    with tf.GradientTape() as tape:
        loss = field.loss(wanted)
    grad = tape.gradient(loss, field.charge)
    print(step, float(loss), grad)
    if grad is not None:
        field.charge.assign_sub(0.1 * grad)
