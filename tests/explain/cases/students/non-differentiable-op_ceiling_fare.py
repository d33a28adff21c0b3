import tensorflow as tf


class Taxi(tf.Module):
    def __init__(self):
        super().__init__()
        self.route = tf.Variable([1.2, 3.7])

    def fare(self):
        started = tf.math.ceil(tf.reduce_sum(self.route))
        return 3.0 + 1.5 * started


taxi = Taxi()
with tf.GradientTape() as tape:
    fare = taxi.fare()
print("fare:", fare.numpy(), tape.gradient(fare, taxi.trainable_variables))
