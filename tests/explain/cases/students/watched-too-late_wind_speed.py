import tensorflow as tf


class Turbine:
    def __init__(self, area):
        self.area = area

    def power(self, wind):
        return 0.5 * 1.2 * self.area * wind**3


wind = tf.constant([6.0, 9.0])
turbine = Turbine(50.0)
with tf.GradientTape() as tape:
    power = turbine.power(wind)
    kilowatts = power / 1000.0
    tape.watch(wind)
print(tape.gradient(kilowatts, wind))
