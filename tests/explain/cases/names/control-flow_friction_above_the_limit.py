import tensorflow as tf


class Car:
    def __init__(self):
        self.push = tf.Variable(1.2, name="push")
        self.friction = tf.Variable(0.9, name="friction")


def drive(car, limit):
    speed = 0.5 * car.push
    while speed > limit:
        speed = car.friction * speed
    return speed


car = Car()
with tf.GradientTape() as tape:
    speed = drive(car, limit=3.0)
    cost = (speed - 1.0) ** 2
print(tape.gradient(cost, [car.push, car.friction]))
