import tensorflow as tf


class Spring(tf.Module):
    _stiffness = None

    @property
    def stiffness(self):
        if self._stiffness is None:
            self._stiffness = tf.Variable(3.0, name="stiffness")
        return self._stiffness

    def energy(self, stretch):
        return 0.5 * self.stiffness * stretch**2


spring = Spring()
with tf.GradientTape() as tape:
    energy = tf.reduce_sum(spring.energy(tf.constant([0.1, 0.4])))
print(tape.gradient(energy, spring.stiffness))
