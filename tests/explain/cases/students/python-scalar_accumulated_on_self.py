import tensorflow as tf


class Simulation(tf.Module):
    def __init__(self):
        super().__init__()
        self.push = tf.Variable(1.5, name="push")
        self.drag = tf.Variable(0.2, name="drag")
        self.position = 0.0
        self.velocity = 0.0

    def advance(self, dt):
        force = self.push - self.drag * self.velocity
        self.velocity += dt * float(force)
        self.position += dt * self.velocity


world = Simulation()
with tf.GradientTape() as tape:
    for _ in range(4):
        world.advance(0.25)
    miss = tf.square(tf.convert_to_tensor(world.position) - 2.0)

print(world.position, tape.gradient(miss, [world.push, world.drag]))
