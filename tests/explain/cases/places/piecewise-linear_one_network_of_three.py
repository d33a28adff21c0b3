import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(5)


def mlp(inputs, kind):
    return tf.keras.Sequential(
        [tf.keras.Input((inputs,)), layers.Dense(8, activation=kind), layers.Dense(1)]
    )


class Pendulum:
    def __init__(self):
        self.energy = mlp(2, "softplus")
        self.friction = mlp(2, "relu")
        self.path = mlp(1, "relu")

    def acceleration(self, t):
        with tf.GradientTape() as outer:
            outer.watch(t)
            with tf.GradientTape() as inner:
                inner.watch(t)
                angle = self.path(t)
            speed = inner.gradient(angle, t)
        return outer.gradient(speed, t), angle, speed


pendulum = Pendulum()
t = tf.constant([[0.1], [0.4], [0.7]])
acceleration, angle, speed = pendulum.acceleration(t)
state = tf.concat([angle, speed], axis=1)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(pendulum.energy(state) - pendulum.friction(state))
weights = pendulum.energy.trainable_variables
print(acceleration, [float(tf.norm(g)) for g in tape.gradient(loss, weights)])
